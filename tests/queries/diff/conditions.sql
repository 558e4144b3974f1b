-- SPDX-License-Identifier: BSD-3-Clause
-- case: times and counts, and the share of the first run
-- on: two runs
INSERT INTO condition VALUES ('run>5%', 800, 1000, NULL, NULL, 1), ('messages>5', NULL, NULL, 0, 4, 0);
-- rows:
-- condition|a_ns|b_ns|change_ns|a_count|b_count|change_count|change_pct|is_met
-- run>5%|800|1000|200|-|-|-|25|1
-- messages>5|-|-|-|0|4|4|-|0
