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
-- where|call|cause_hint|pairs|count|least_bytes|most_bytes|wait_ns|remedy|eager_max_bytes|unconfirmed|withheld
-- unknown|MPI_Send|late_receiver|2|3|65536|262143|90|unknown|-|-|0

-- case: S can be raised for sends that fit at the receiver, where its link is confirmed
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO peer_row VALUES (0, 1, 1), (0, 2, 2);
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', 4096, 'measured'), (0, 'node', 'LogGPS', 'S_p', 4096, 'measured'),
	(0, 'network', 'LogGPS', 'S', 4096, 'unconfirmed'), (0, 'network', 'LogGPS', 'S_p', 4096, 'unconfirmed');
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 1, 13, 1, 50),
	(0, 1, pack('wait_code', 'call=MPI_Ssend kind=send mode=synchronous protocol=rendezvous'), 1, 0, 1, 40),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 2, 13, 1, 30);
-- rows:
-- where|call|cause_hint|pairs|count|least_bytes|most_bytes|wait_ns|remedy|eager_max_bytes|unconfirmed|withheld
-- unknown|MPI_Send|-|1|1|4096|8191|50|raise S|4096|0|0
-- unknown|MPI_Ssend|-|1|1|0|0|40|unknown|4096|0|0
-- unknown|MPI_Send|-|1|1|4096|8191|30|unknown|4096|1|0

-- case: ranks lacked a CPU: no remedy
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 200);
INSERT INTO peer_row VALUES (0, 1, 1);
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', 4096, 'measured'), (0, 'node', 'LogGPS', 'S_p', 4096, 'measured');
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 1, 13, 1, 50);
-- rows: values
-- unknown|MPI_Send|-|1|1|4096|8191|50|-|4096|0|1
