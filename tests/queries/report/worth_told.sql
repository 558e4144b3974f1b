-- SPDX-License-Identifier: BSD-3-Clause
-- case: the better of no waits and the best remedy
-- then:
DROP VIEW worth_told;
INSERT INTO worth VALUES (1, 300, 100), (2, 200, 250);
-- ask: SELECT * FROM worth_told
-- rows:
-- bottleneck|worth_ns|without_ns
-- 1|300|100
-- 2|200|250

-- case: ranks lacked a CPU: no remedy counts
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 200);
-- then:
DROP VIEW worth_told;
INSERT INTO worth VALUES (1, 300, 100), (2, 200, 250);
-- ask: SELECT * FROM worth_told
-- rows: values
-- 1|100|100
-- 2|200|250
