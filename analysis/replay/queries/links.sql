-- SPDX-License-Identifier: BSD-3-Clause
-- LogGPS parameters of links as numbers: rank (NULL: all), tier, name, value.

-- query links: of the run
SELECT p.rank, t.id, p.name, p.value FROM link_param p JOIN tier_name t ON t.name = p.tier
WHERE p.model = 'LogGPS' AND p.peer IS NULL AND p.form IS NULL AND p.layout IS NULL AND p.bytes IS NULL
	AND p.value IS NOT NULL AND p.name IS NOT NULL

-- query links_of_file: of a file of tryst calibrate
SELECT NULL, CASE tier WHEN 'self' THEN 0 WHEN 'node' THEN 1 WHEN 'network' THEN 2 ELSE -1 END, name, value
FROM link_param
WHERE model = 'LogGPS' AND peer IS NULL AND form IS NULL AND layout IS NULL AND bytes IS NULL AND value IS NOT NULL
	AND name IS NOT NULL

-- query cuts: flow cuts between hosts, from run.db or a file of tryst calibrate
SELECT name, value FROM link_param WHERE tier = 'network' AND model = 'MM' AND name IS NOT NULL AND value IS NOT NULL
