-- SPDX-License-Identifier: BSD-3-Clause
-- case: time by kind
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (0, call('MPI_Send'), 1, 1, 300);
-- rows:
-- kind|letter|time_ns|share_pct
-- computing|#|1700|85
-- rest of the time in MPI|m|300|15
