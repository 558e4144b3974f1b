-- SPDX-License-Identifier: BSD-3-Clause
-- case: transfers that did not go on for a fiftieth of the ranks' time are a bottleneck
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (0, 2, 0, 'main', 'a.c', 2);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Isend kind=send protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
	1, 21, 4, 40, 1200000);
-- ask: SELECT place, call, protocol, cause, pairs, count, least_bytes, most_bytes, wait_ns, unhidden_ns, mean_ns,
-- ask: peer_done_call, peer_done_place FROM bottleneck
-- rows:
-- place|call|protocol|cause|pairs|count|least_bytes|most_bytes|wait_ns|unhidden_ns|mean_ns|peer_done_call|peer_done_place
-- main a.c:1|MPI_Isend|rendezvous|unhidden_transfer|1|4|1048576|1200000|-|40|10|MPI_Wait|main a.c:2

-- case: less is none
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (0, 2, 0, 'main', 'a.c', 2);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Isend kind=send protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
	1, 21, 4, 39, 1200000);
-- ask: SELECT place, call, protocol, cause, pairs, count, least_bytes, most_bytes, wait_ns, unhidden_ns, mean_ns,
-- ask: peer_done_call, peer_done_place FROM bottleneck
-- rows:
-- place|call|protocol|cause|pairs|count|least_bytes|most_bytes|wait_ns|unhidden_ns|mean_ns|peer_done_call|peer_done_place
