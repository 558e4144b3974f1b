-- SPDX-License-Identifier: BSD-3-Clause
-- case: the cause with most of the waiting, and the place with most of it
-- Two places wait 200 and 90 ns for late senders, one 250 for a late receiver.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/bin/ring');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function) VALUES (0, 1, 0, 1, 16, 'few'), (0, 2, 0, 1, 32, 'most');
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 1, 90),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 1, 200),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 1, 250);
-- ask: SELECT c.cause, c.ns, call, place, p.ns AS place_ns, t.ns AS wait_ns, waited_ns, run_ns
-- ask: FROM most_cause c, most_place p, waited_total t
-- rows:
-- cause|ns|call|place|place_ns|wait_ns|waited_ns|run_ns
-- late_sender|290|MPI_Recv|most|200|540|540|1000

-- case: waits in collectives count, and ranks that are late in turns have half of each other's waits
-- Each rank waits 100 ns and has 25600 / 256 = 100 ns of blame.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 100, 1, 1, 0),
	(2, 1, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 100, 0, 1, 0);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 0, 25600), (1, 1, 1, 0, 25600);
-- ask: SELECT c.cause, c.ns, l.rank AS late_rank, l.pct, blamed_ns, t.pct AS in_turns_pct FROM most_cause c, late_most l, late_turns t
-- rows:
-- cause|ns|late_rank|pct|blamed_ns|in_turns_pct
-- late_broadcast|200|0|50|200|100
