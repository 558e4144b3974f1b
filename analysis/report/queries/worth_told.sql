-- SPDX-License-Identifier: BSD-3-Clause
-- worth_told: the worth of a bottleneck in the report. withheld: CPU loss may have distorted advice, so
-- remedies do not count. unsure: the replay then found no more than the interval, so worth_ns is unknown (NULL). The
-- worth of a lack of CPUs is unknown, too (worth/bottlenecks.c).
-- chance: ranks are late by chance, so that this is not told first.
--
-- worth_first: the bottleneck that is worth most, with its remedy (NULL where advice is withheld), unless a pattern's
-- remedy would shorten the run more.
--
-- advice_first: what the verdict tells first, as one row for machines. cause: a pattern's name, or the cause of the
-- bottleneck that is worth most. remedy: NULL where none is given. value: S in bytes, or the number of messages
-- combined into one, or of pieces of work in a message; NULL for other remedies.
CREATE TEMP VIEW worth_told AS
SELECT bottleneck, iif(unsure, NULL, worth_ns) AS worth_ns, without_ns,
	bottleneck IN (SELECT bottleneck FROM late_by_chance) AS chance, unsure
FROM (
	SELECT *, withheld AND coalesce(worth_ns <= coalesce((SELECT interval_ns FROM worth_run), 0), 1) AS unsure
	FROM (
		SELECT bottleneck, iif(withheld, min(worth_ns, without_ns), worth_ns) AS worth_ns, without_ns, withheld
		FROM worth
		JOIN advice_limits));

CREATE TEMP VIEW worth_first AS
SELECT w.bottleneck, w.worth_ns, t.run_ns, t.interval_ns, r.remedy, r.value, r.gain_ns
FROM worth_run t
JOIN worth_told w ON w.worth_ns > t.interval_ns AND NOT chance
JOIN bottleneck b ON b.rowid = w.bottleneck
LEFT JOIN remedy_best r ON r.bottleneck = w.bottleneck
WHERE NOT EXISTS (SELECT 1 FROM pattern_best)
ORDER BY w.worth_ns DESC, b.wait_ns DESC, b.place
LIMIT 1;

CREATE TEMP VIEW advice_first AS
SELECT pattern AS cause, call, "where",
	CASE pattern WHEN 'small_messages' THEN 'combine' WHEN 'load_imbalance' THEN 'balance' WHEN 'barrier' THEN 'leave_out'
		WHEN 'master' THEN 'pieces'
		ELSE 'collective' END AS remedy,
	nullif(by, 0) AS value, gain_ns
FROM pattern_best
UNION ALL SELECT b.cause, b.call, b.place, w.remedy, w.value, w.gain_ns
FROM worth_first w
JOIN bottleneck b ON b.rowid = w.bottleneck;
