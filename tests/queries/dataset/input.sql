-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks are whole, unless one was read while it ran
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (1, 'unfinished', 1), (2, 'unfinished', 0);
-- ask: SELECT rank, file, state FROM input
-- rows:
-- rank|file|state
-- 0|-|whole
-- 1|-|unfinished
-- 2|-|whole
