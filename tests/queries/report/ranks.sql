-- SPDX-License-Identifier: BSD-3-Clause
-- case: people get some ranks
-- top: 1
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
-- rows:
-- rank|run_ns|computing_ns|asleep_ns|message_wait_ns|collective_wait_ns|polling_ns|unpredicted_ns|not_returned_ns|tool_ns|other_ns|ranks
-- 0|1000|1000|0|0|0|0|0|0|0|0|2

-- case: machines get all
-- for: data
-- top: 1
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
-- rows: values
-- 0|1000|1000|0|0|0|0|0|0|0|0|2
-- 1|900|900|0|0|0|0|0|0|0|0|2
