-- SPDX-License-Identifier: BSD-3-Clause
-- The bottleneck that is worth most, with its remedy (NULL where advice is withheld), unless
-- combining small messages would shorten the run more. ahead: a sentence stands before it in the
-- verdict.
SELECT t.run_ns, t.interval_ns, w.worth_ns, b.cause, b.call, b.place AS "where", done_call AS waited_in,
	done_place AS waited_at, r.remedy AS remedy_kind, r.value AS remedy_value,
	r.gain_ns AS remedy_gain_ns, b.late_rank, b.late_ranks,
	EXISTS (SELECT 1 FROM doubt WHERE why = 'no_cpu') AS withheld,
	EXISTS (SELECT 1 FROM doubt) OR coalesce((SELECT said AND ends FROM outlook), 0) AS ahead
FROM worth_run t
JOIN worth_told w ON worth_ns > interval_ns
JOIN bottleneck b ON b.rowid = w.bottleneck
LEFT JOIN remedy_best r ON r.bottleneck = w.bottleneck AND NOT EXISTS (SELECT 1 FROM doubt WHERE why = 'no_cpu')
LEFT JOIN done_of d ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn
	AND d.protocol IS b.protocol AND d.cause = b.cause
WHERE NOT coalesce((SELECT alone FROM outlook), 0) AND NOT EXISTS (SELECT 1 FROM pattern_best)
ORDER BY worth_ns DESC, wait_ns DESC, b.place
LIMIT 1
