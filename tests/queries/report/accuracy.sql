-- SPDX-License-Identifier: BSD-3-Clause
-- case: live waits are off by a mean and by a median, and some have another cause
-- Three are 5 ns above the exact wait and one 8 ns; that one has another cause. Of the last, no protocol is known.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_accuracy_cell (code, bytes_log2, error_class, count, error_ns, agreed)
VALUES (pack('accuracy_code', 'call=MPI_Recv kind=recv protocol=eager'), 4, 5, 3, 15, 3),
	(pack('accuracy_code', 'call=MPI_Recv kind=recv protocol=eager'), 4, 24, 1, 8, 0),
	(pack('accuracy_code', 'call=MPI_Recv kind=recv'), 4, 24, 1, 800, 0);
-- rows:
-- kind|protocol|count|bias_ns|worst_median_error_ns|right_cause_pct
-- recv|eager|4|5.8|5|75

-- case: lengths weigh by their messages, and the worst median is that of one length
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_accuracy_cell (code, bytes_log2, error_class, count, error_ns, agreed)
VALUES (pack('accuracy_code', 'call=MPI_Send kind=send protocol=eager'), 4, 2, 3, 6, 3),
	(pack('accuracy_code', 'call=MPI_Send kind=send protocol=eager'), 5, 6, 1, -6, 0);
-- rows:
-- kind|protocol|count|bias_ns|worst_median_error_ns|right_cause_pct
-- send|eager|4|0|6|75
