-- SPDX-License-Identifier: BSD-3-Clause
-- case: those that cost most come first; people get what is a hundredth of all waits
-- Late receivers cost 998 ns, of which 980 are their part, and a late sender 2: less than a hundredth.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, progress_ns, lateness_ns,
	max_lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2,
		980, 18, 980, 600, 5000),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 2, 0, 2, 2, 8);
-- rows:
-- where|call|protocol|cause|pairs|count|least_bytes|most_bytes|wait_ns|unhidden_ns|mean_ns|late_mean_ns|late_longest_ns|elsewhere_pct|same_sender_pct|waited_in|waited_at|peer_call|peer_place|peer_done_call|peer_done_place|peer_share_pct|inside_pct|late_rank|late_thread|late_rank_pct|computing_pct|in_turns_pct|advice|lost_ns|S|S_p|setting|setting_bytes|async_progress|synchronous_pct|before_pct|late_ranks|through_rank|through_pct|unconfirmed|own_pct|late_doing|doing|late_call|late_place|late_after|heavy|heavy_pct|no_cpu_pct|asleep_pct|sleeps|worth_ns|without_ns|run_ns|interval_ns|remedy_kind|remedy_value|remedy_gain_ns|tried|untried|withheld|unsure|chance
-- unknown|MPI_Send|rendezvous|late_receiver|1|2|5000|5000|998|-|490|490|600|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|998|-|-|-|-|-|-|-|-|-|-|0|98.1964|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|1|0|0|0

-- case: machines get all, and transfers that did not go on stand among the waits
-- for: data
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, lateness_ns,
	max_lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 2, 2, 2, 8);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Irecv kind=recv protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
	1, 17, 2, 400, 70000);
-- rows:
-- where|call|protocol|cause|pairs|count|least_bytes|most_bytes|wait_ns|unhidden_ns|mean_ns|late_mean_ns|late_longest_ns|elsewhere_pct|same_sender_pct|waited_in|waited_at|peer_call|peer_place|peer_done_call|peer_done_place|peer_share_pct|inside_pct|late_rank|late_thread|late_rank_pct|computing_pct|in_turns_pct|advice|lost_ns|S|S_p|setting|setting_bytes|async_progress|synchronous_pct|before_pct|late_ranks|through_rank|through_pct|unconfirmed|own_pct|late_doing|doing|late_call|late_place|late_after|heavy|heavy_pct|no_cpu_pct|asleep_pct|sleeps|worth_ns|without_ns|run_ns|interval_ns|remedy_kind|remedy_value|remedy_gain_ns|tried|untried|withheld|unsure|chance
-- unknown|MPI_Irecv|rendezvous|unhidden_transfer|1|2|65536|70000|-|400|200|-|-|-|-|-|-|-|-|MPI_Wait|-|-|-|-|-|-|-|-|-|400|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|1|0|0|0
-- unknown|MPI_Recv|eager|late_sender|1|1|8|8|2|-|2|2|2|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|2|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|1|0|0|0

-- case: replayed, those that the run would be shortest without come first; people get no others
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 500, 100), 0 FROM bottleneck;
INSERT INTO remedy_tried SELECT rowid, 'receive_later', NULL, 450, 6, 1 FROM bottleneck WHERE cause = 'late_sender';
INSERT INTO remedy_tried SELECT rowid, 'balance', NULL, 500, 3, 1 FROM bottleneck WHERE cause = 'late_sender';
-- rows: values
-- unknown|MPI_Recv|eager|late_sender|1|1|8|8|500|-|500|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|500|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|500|0|10000|100|balance|-|500|balance,receive_later|0|0|0|0

-- case: a worth within the interval is noise: machines get these by their waits, behind the others
-- for: data
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_progress'), 1, 4, 1, 8, 1, 300, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 100, iif(cause = 'late_progress', 101, 0)), 0 FROM bottleneck;
-- rows: values
-- unknown|MPI_Recv|eager|late_progress|1|1|8|8|300|-|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|300|-|-|-|-|-|-|-|-|-|-|0|0|-|-|-|-|-|-|-|-|-|-|101|0|10000|100|-|-|-|-|0|0|0|0
-- unknown|MPI_Send|rendezvous|late_receiver|1|2|5000|5000|900|-|450|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|900|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|0|0|10000|100|-|-|-|-|0|0|0|0
-- unknown|MPI_Recv|eager|late_sender|1|1|8|8|500|-|500|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|500|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|100|0|10000|100|-|-|-|-|0|0|0|0

-- case: ranks lacked a CPU: people get what is within the interval as well, by its waits, without a worth
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 2000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 100, 0), iif(cause = 'late_sender', 100, 0) FROM bottleneck;
-- rows: values
-- unknown|MPI_Send|rendezvous|late_receiver|1|2|5000|5000|900|-|450|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|900|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|-|0|10000|100|-|-|-|-|0|1|1|0
-- unknown|MPI_Recv|eager|late_sender|1|1|8|8|500|-|500|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|500|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|-|100|10000|100|-|-|-|-|0|1|1|0

-- case: ranks are late by chance: this comes last, though it is worth most
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth SELECT rowid, iif(cause = 'late_sender', 500, 200), 0 FROM bottleneck;
INSERT INTO late_by_chance SELECT rowid FROM bottleneck WHERE cause = 'late_sender';
-- rows: values
-- unknown|MPI_Send|rendezvous|late_receiver|1|2|5000|5000|900|-|450|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|900|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|200|0|10000|100|-|-|-|-|0|0|0|0
-- unknown|MPI_Recv|eager|late_sender|1|1|8|8|500|-|500|0|0|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|500|-|-|-|-|-|-|-|-|-|-|0|100|-|-|-|-|-|-|-|-|-|-|500|0|10000|100|-|-|-|-|0|0|0|1
