-- SPDX-License-Identifier: BSD-3-Clause
-- case: one row, of a run that ended well
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- state|alone|ends|inside|world|longest_ns|unknown|unrecorded_pct|last_ns|ended_ns|said
-- -|0|0|0|1|-|-|-|-|-|0
