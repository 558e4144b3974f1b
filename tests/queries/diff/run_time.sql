-- SPDX-License-Identifier: BSD-3-Clause
-- case: a run that takes longer by more than a tenth and what the ranks lacked CPUs
-- noise: 40 + 20 of the two ranks, and the root of 100^2 + 10^2.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 800), (1, 'b', '/bin/ring', 2, 1, 1, 0, 1000);
INSERT INTO held VALUES (0, 0, 60), (1, 0, 20), (1, 1, 20);
-- rows:
-- a_ns|b_ns|change_ns|change_pct|noise_ns|verdict
-- 800|1000|200|25|160|more

-- case: less than that is noise
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000), (1, 'b', '/bin/ring', 2, 1, 1, 0, 950);
-- rows: values
-- 1000|950|-50|-5|100|noise

-- case: runs with other numbers of ranks are not judged
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000), (1, 'b', '/bin/ring', 4, 1, 1, 0, 500);
-- rows: values
-- 1000|500|-500|-50|-|-
