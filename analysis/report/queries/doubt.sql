-- SPDX-License-Identifier: BSD-3-Clause
-- doubt: why the verdict is not to be trusted, which it says first. no_cpu: ranks were ready to run
-- but had no CPU for more than a tenth of their time. unpredicted: no message has a prediction.
-- first: nothing is told before it. Needs summary_parts.sql.
-- advice_limits(withheld): advice is withheld if ranks lacked a CPU, for its figures may be distorted.
CREATE TEMP TABLE doubt AS
SELECT 'no_cpu' AS why, lost AS ns, 100.0 * lost / run AS pct, 1 AS first
FROM (
	SELECT (SELECT sum(ns) FROM cpu_shortage) AS lost,
		sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS run
	FROM run)
WHERE lost * 10 > run
UNION ALL SELECT 'unpredicted', u.ns, 100.0 * u.ns / run, NOT coalesce(lost * 10 > w.all_ns, 0)
FROM (
	SELECT sum(ns) FILTER (WHERE part = 'unpredicted') AS ns,
		sum(ns) FILTER (WHERE part = 'run') AS run
	FROM rank_time) u, (
	SELECT (SELECT sum(ns) FROM cpu_shortage) AS lost,
		sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS all_ns
	FROM run) w
WHERE u.ns * 100 >= run AND run > 0
	AND NOT EXISTS (
	SELECT 1
	FROM wait_cell_fields
	WHERE peer >= 0 AND count > 0 AND NOT no_prediction AND protocol NOT NULL);

CREATE TEMP VIEW advice_limits AS
SELECT EXISTS (SELECT 1 FROM doubt WHERE why = 'no_cpu') AS withheld;
