-- SPDX-License-Identifier: BSD-3-Clause
-- case: which runs these are
-- on: two runs
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 0, 1, 0);
-- rows:
-- text
-- A: a, /bin/ring, 2 ranks, 9 messages
-- B: b, /opt/ring, 2 ranks, 1 message, waits as one side can know them

-- case: other programs, and other numbers of ranks
-- on: two runs
INSERT INTO run (side, name, program, ranks, both_sides, messages) VALUES (0, 'a', 'ring', 2, 1, 9), (1, 'b', 'star', 4, 1, 9);
INSERT INTO row (what, a_ns, b_ns) VALUES (0, 100, 100), (1, 900, 900);
-- rows:
-- text
-- A: a, ring, 2 ranks, 9 messages
-- B: b, star, 4 ranks, 9 messages
-- The numbers of ranks differ: the tables have sums over all ranks, and what is beyond the noise is not judged. A rank waited 50 ns in A and 25 ns in B on average.
-- These are different programs.
