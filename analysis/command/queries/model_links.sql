-- SPDX-License-Identifier: BSD-3-Clause
-- The values that --links takes, by kind of link. Thresholds are whole bytes.
SELECT tier, name, CASE unit WHEN 'B' THEN CAST(value AS INTEGER) ELSE value END AS value, unit,
	reason AS note
FROM link_param
WHERE model = 'LogGPS' AND form IS NULL AND layout IS NULL AND peer IS NULL AND bytes IS NULL
ORDER BY rowid
