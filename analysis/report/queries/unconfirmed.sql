-- SPDX-License-Identifier: BSD-3-Clause
-- unconfirmed: one row where links between ranks have numbers that nothing confirmed, and
-- something was predicted by them: how old they are and who measured them. several: they are of
-- several sets. Ranks of one set read its age at times that differ by seconds.
CREATE TEMP TABLE unconfirmed AS
SELECT max(age_s) AS age_s, max(measured_by) AS measured_by,
	count(DISTINCT coalesce(measured_by, '')) > 1 OR max(age_s) - min(age_s) >= 60
		OR count(age_s) NOT IN (0, count(*)) AS several
FROM (
	SELECT max(value) FILTER (WHERE name = 'age') AS age_s,
		max(reason) FILTER (WHERE name = 'age') AS measured_by
	FROM link_param
	WHERE tier <> 'self' AND source = 'unconfirmed'
	GROUP BY rank, tier, peer)
HAVING count(*) > 0 AND NOT coalesce((SELECT alone FROM outlook), 0);
