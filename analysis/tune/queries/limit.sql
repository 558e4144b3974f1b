-- SPDX-License-Identifier: BSD-3-Clause
-- S of the links of a tier in a file of tryst calibrate [B]. ?1: the tier's name.
SELECT value FROM link_param WHERE model = 'LogGPS' AND name = 'S' AND value > 0
	AND tier = ?1 AND peer IS NULL AND form IS NULL AND layout IS NULL
