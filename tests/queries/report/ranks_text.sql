-- SPDX-License-Identifier: BSD-3-Clause
-- case: the columns that fit a line
-- top: 1
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
-- rows:
-- rank|run_ns|computing_ns|asleep_ns|messages_ns|collectives_ns|other_ns|tool_ns
-- 0|1000|1000|0|0|0|0|0
