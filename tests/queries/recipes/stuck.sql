-- SPDX-License-Identifier: BSD-3-Clause
-- case: calls that had not returned, the oldest first
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO in_call_row (id, call, callsite, enter, peer, tag, bytes) VALUES ((1 << 40), call('MPI_Recv'), 2, 300, 0, 3, 64), (0, call('MPI_Send'), 1, 500, 1, 4, 64);
-- rows:
-- rank|thread|call|peer|tag|bytes|age_ns|function|file|line
-- 1|0|MPI_Recv|0|3|64|700|take|a.c|9
-- 0|0|MPI_Send|1|4|64|500|give|a.c|7
