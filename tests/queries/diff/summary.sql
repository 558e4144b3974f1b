-- SPDX-License-Identifier: BSD-3-Clause
-- case: which runs these are
-- on: two runs
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, world)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 2), (1, 'b', '/opt/ring', 2, 0, 1, 0, 3);
-- rows:
-- side|name|program|ranks|missing|messages|both_sides
-- A|a|/bin/ring|2|-|9|1
-- B|b|/opt/ring|3|1|1|0
