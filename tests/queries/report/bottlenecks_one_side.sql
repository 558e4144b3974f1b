-- SPDX-License-Identifier: BSD-3-Clause
-- case: rendezvous that was waited for, by place and cause
-- Eager messages and those that did not wait are none. Lengths are powers of two.
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 17, 2, 200000, 60, 50),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 2, 18, 1, 200000, 30, 30),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 3, 18, 1, 200000, 0, 0),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=late_receiver'), 1, 4, 1, 8, 90, 90);
-- rows:
-- where|call|cause_hint|pairs|count|least_bytes|most_bytes|wait_ns|remedy
-- unknown|MPI_Send|late_receiver|2|3|65536|262143|90|unknown
