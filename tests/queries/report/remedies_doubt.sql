-- SPDX-License-Identifier: BSD-3-Clause
-- case: a lack of CPUs, in which a remedy was replayed
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 201);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
INSERT INTO remedy_tried VALUES (1, 'post_early', NULL, 460, 1, 1);
-- rows:
-- why|ns|pct|first|reason|link_reason
-- no_cpu|201|20.1|0|-|-

-- case: no gains, no doubt
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 201);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows: values
