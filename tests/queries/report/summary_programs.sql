-- SPDX-License-Identifier: BSD-3-Clause
-- case: of four programs the first three are named, with their ranks
INSERT INTO run VALUES (0, 'program', 'a'), (1, 'program', 'b'), (1, 'arguments', 'b -x'), (2, 'program', 'a'),
	(3, 'program', 'c'), (4, 'program', 'd');
-- rows:
-- program|ranks|nranks|continues|more
-- a|0,2|2|0|-
-- b -x|1|1|1|-
-- c|3|1|1|1

-- case: one program needs no ranks
INSERT INTO run VALUES (0, 'program', 'a'), (1, 'program', 'a');
-- rows:
-- program|ranks|nranks|continues|more
-- a|-|2|0|-
