-- SPDX-License-Identifier: BSD-3-Clause
-- case: the costliest bottlenecks with a late rank, by place: callsites of one line are one
-- Rank 1 has the line's callsite under another number. Eager sends that wait for receivers, and flow control, are none.
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (1, 4, 0, 'main (inlined into f)', 'a.c', 1), (0, 2, 0, 'main', 'a.c', 2);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, flow_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 100, 0),
	(1, 4, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1, 1, 150, 10),
	(0, 2, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 1, 1, 270, 0),
	(0, 3, pack('exact_code', 'call=MPI_Send kind=send protocol=eager cause=late_receiver'), 1, 1, 1, 900, 0),
	(0, 3, pack('exact_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 1, 1, 1, 0, 900),
	(0, 3, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_progress'), 1, 1, 1, 0, 0);
-- ask: SELECT n, (SELECT name FROM call_name WHERE id = call_id) AS call, rank, callsite FROM blame_of_row_fields
-- rows:
-- n|call|rank|callsite
-- 1|MPI_Send|0|2
-- 2|MPI_Recv|0|1

-- case: there are eight at most
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 9)
INSERT INTO frame_row (rank, callsite, frame, function, file, line) SELECT 0, n, 0, 'main', 'a.c', n FROM k;
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
SELECT 0, callsite, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 100 + line
FROM frame_row;
-- ask: SELECT count(*) AS n, min(callsite) AS least, max(callsite) AS most FROM blame_of_row
-- rows:
-- n|least|most
-- 8|2|9
