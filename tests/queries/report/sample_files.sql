-- SPDX-License-Identifier: BSD-3-Clause
-- case: the file of a rank whose op the merge left out
-- run.db has the receive of rank 1. The send of rank 0 is in the file of rank 0 alone. Rank 2 is in no message.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file) VALUES (0, 'rank-000000.db'), (1, 'rank-000001.db'), (2, 'rank-000002.db');
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv protocol=rendezvous'), 50, 120, 9999, 0, 1, 1);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, 50, pack('match_code', 'protocol=rendezvous cause=late_receiver waiting=1'),
	50, 0, 0);
-- rows:
-- file
-- rank-000000.db
