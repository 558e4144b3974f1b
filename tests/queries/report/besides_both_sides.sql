-- SPDX-License-Identifier: BSD-3-Clause
-- case: transfers that did not go on, from a twentieth of the run on, by the place with most of them
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Isend kind=send protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
		1, 17, 1, 10, 70000),
	(0, 3, pack('message_code', 'call=MPI_Irecv kind=recv protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
		1, 17, 1, 40, 70000);
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/bin/ring');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function)
VALUES (0, 1, 0, 1, 16, 'few'), (0, 3, 0, 1, 32, 'most');
-- ask: SELECT what, share_pct, call, place, waits_pct, why FROM besides
-- rows:
-- what|share_pct|call|place|waits_pct|why
-- transfers|5|MPI_Irecv|most|-|-

-- case: less than a twentieth is not spoken of
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Isend kind=send protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
	1, 17, 1, 49, 70000);
-- ask: SELECT what, share_pct, call, place, waits_pct, why FROM besides
-- rows:
-- what|share_pct|call|place|waits_pct|why
