-- SPDX-License-Identifier: BSD-3-Clause
-- case: the range of each rank's offsets, and the largest error
INSERT INTO clock VALUES (0, 10, 5, 1, 0), (0, 20, -7, 3, 0), (1, 10, 4, NULL, 0);
-- rows:
-- rank|points|least_offset_ns|most_offset_ns|error_ns
-- 0|2|-7|5|3
-- 1|1|4|4|-
