-- SPDX-License-Identifier: BSD-3-Clause
-- case: people read of how many ranks the run is the sum
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 3000);
-- rows:
-- what|all_ranks_ns|share_pct|least_ns|least_on|most_ns|most_on
-- run (sum of 2 ranks)|4000|100|1000|0|3000|1

-- case: a program reads plain names
-- for: data
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 3000);
-- rows:
-- what|all_ranks_ns|share_pct|least_ns|least_on|most_ns|most_on
-- run|4000|100|1000|0|3000|1
