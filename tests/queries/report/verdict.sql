-- SPDX-License-Identifier: BSD-3-Clause
-- case: how much was waited, why and where most of it, and for whom
-- Rank 0 waits 300 ns for a late sender and 100 for a late receiver; rank 1 has all blame, of 102400 / 256 = 400 ns.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 1, 300),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 1, 100);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (1, 1, 1, 0, 102400);
-- rows:
-- wait_ns|share_pct|cause|cause_ns|call|where|place_ns|waited_in|waited_at|late_rank|late_rank_pct|in_turns_pct|not_predicted_ns|cause_pct|blamed_more|alone|ends|said|least|unseen|besides|other_calls|windows|outlook|unpredicted|not_predicted_pct|reason|link_reason|replayed_ns|worth_ns|interval_ns|advice_cause|advice_call|advice_where|advice_remedy|advice_value|advice_gain_ns|worth_little
-- 400|20|late_sender|300|MPI_Recv|unknown|300|-|-|1|100|-|-|75|0|0|0|0|0|0|0|0|0|0|0|-|-|-|-|-|-|-|-|-|-|-|-|0

-- case: nothing was waited
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- wait_ns|share_pct|cause|cause_ns|call|where|place_ns|waited_in|waited_at|late_rank|late_rank_pct|in_turns_pct|not_predicted_ns|cause_pct|blamed_more|alone|ends|said|least|unseen|besides|other_calls|windows|outlook|unpredicted|not_predicted_pct|reason|link_reason|replayed_ns|worth_ns|interval_ns|advice_cause|advice_call|advice_where|advice_remedy|advice_value|advice_gain_ns|worth_little
-- 0|0|-|-|-|-|-|-|-|-|-|-|-|-|0|0|0|0|0|0|0|0|0|0|0|-|-|-|-|-|-|-|-|-|-|-|-|0

-- case: the waits in the place with most of them are not those that the run would be shorter without
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 1, 300),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 1, 100);
-- then:
INSERT INTO worth_run VALUES (1000, 10, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 10, 90), 0 FROM bottleneck;
-- rows: values
-- 400|20|late_sender|300|MPI_Recv|unknown|300|-|-|-|-|-|-|75|0|0|1|1|0|0|0|0|0|0|0|-|-|-|1000|90|10|late_receiver|MPI_Send|unknown|-|-|-|1

-- case: not if they are worth more than a hundredth of the run
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 1, 300),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 1, 100);
-- then:
INSERT INTO worth_run VALUES (1000, 20, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 11, 90), 0 FROM bottleneck;
-- rows: values
-- 400|20|late_sender|300|MPI_Recv|unknown|300|-|-|-|-|-|-|75|0|0|1|1|0|0|0|0|0|0|0|-|-|-|1000|90|20|late_receiver|MPI_Send|unknown|-|-|-|0
