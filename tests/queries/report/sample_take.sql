-- SPDX-License-Identifier: BSD-3-Clause
-- case: an op that the merge left out is read from its rank's file
-- run.db has the message alone. The file of rank 0 has another op, too, which is of no message of the sample.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, 50, pack('match_code', 'protocol=rendezvous cause=late_receiver waiting=1'),
	50, 0, 0);
-- then:
ATTACH ':memory:' AS rank_file;
CREATE TABLE rank_file.op_row_fields (id, rank, call_id, kind, mode, post, callsite, done, done_call_id,
	done_callsite, span, gap);
INSERT INTO rank_file.op_row_fields
VALUES (first_id(0) + 1, 0, call('MPI_Send'), 'send', 'standard', 100, 1, NULL, NULL, NULL, 70, NULL),
	(first_id(0) + 2, 0, call('MPI_Send'), 'send', 'standard', 200, 1, NULL, NULL, NULL, 70, NULL);
-- ask: SELECT rank, id - first_id(0) AS op_id, post, until_done FROM sample_op
-- rows:
-- rank|op_id|post|until_done
-- 0|1|100|0
