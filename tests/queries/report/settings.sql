-- SPDX-License-Identifier: BSD-3-Clause
-- case: those of tryst alone, and whether all ranks have the same
INSERT INTO run VALUES (0, 'TRYST_A', '1'), (1, 'TRYST_A', '1'), (0, 'TRYST_B', '2'), (1, 'TRYST_B', '3'),
	(0, 'TRYST_C', NULL), (0, 'host', 'a');
-- rows:
-- name|value|is_same
-- TRYST_A|1|1
-- TRYST_B|2|0
