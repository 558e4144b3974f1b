-- SPDX-License-Identifier: BSD-3-Clause
-- case: a form's thresholds, and its call without what the form takes less
-- Other models, and other names, do not count.
CREATE TEMP TABLE fit (from_rank, to_rank, model, form, layout, name, value, reason);
INSERT INTO fit VALUES (0, 1, 'LogGPS', NULL, NULL, 'S', 4096.0, NULL), (0, 1, 'LogGPS', NULL, NULL, 'S_p', 2048.0, NULL),
	(0, 1, 'LogGPS', NULL, NULL, 'o', 300.0, NULL), (0, 1, 'LogGPS', NULL, NULL, 'o_diff', 20.0, NULL),
	(0, 1, 'LogGPS', NULL, NULL, 'O_ss', 0.25, NULL), (0, 1, 'LogGPS', 'isend', 'strided', 'S', NULL, 'no step was found'),
	(0, 1, 'LogGPS', 'isend', 'strided', 'o', 310.0, NULL), (0, 1, 'LogGPS', NULL, NULL, 'L', 9.0, NULL),
	(0, 1, 'MM', NULL, NULL, 'S', 9.0, NULL);
-- rows:
-- pair|form|layout|S|S_p|o_ns|O_s_ns_per_byte|S_note
-- 0-1|isend|strided|-|-|310|-|no step was found
-- 0-1|send|contiguous|4096|2048|280|0.25|-
