-- SPDX-License-Identifier: BSD-3-Clause
-- case: a function of the length has its first value here, and a set from a file holds for any pair
CREATE TEMP TABLE parameter (from_rank, to_rank, model, name, value, unit, interval, note);
INSERT INTO parameter VALUES (0, 1, 'PLogP', 'g', 50.0, 'ns', '49 to 51', NULL), (0, 1, 'PLogP', 'g', 70.0, 'ns', NULL, NULL),
	(0, 1, 'LogP', 'L', 400.0, 'ns', NULL, 'few samples'), (NULL, NULL, 'LogP', 'L', 300.0, 'ns', NULL, NULL);
-- rows:
-- pair|model|name|value|unit|interval|note|values_at
-- 0-1|PLogP|g|50|ns|49 to 51|-|2 lengths
-- 0-1|LogP|L|400|ns|-|few samples|-
-- any-any|LogP|L|300|ns|-|-|-
