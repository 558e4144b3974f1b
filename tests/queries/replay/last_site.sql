-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of the rank in any of three tables
-- on: schema
-- bind: 1
INSERT INTO frame_row (rank, callsite, frame) VALUES (0, 9, 0), (1, 3, 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (1, call('MPI_Send'), 5, 1);
-- rows: values
-- 5
