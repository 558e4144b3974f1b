-- SPDX-License-Identifier: BSD-3-Clause
-- The bottleneck that the verdict tells first (worth_first, worth_told.sql). ahead: a sentence stands before it in
-- the verdict.
SELECT w.run_ns, w.interval_ns, w.worth_ns, b.cause, b.call, b.place AS "where", done_call AS waited_in,
	done_place AS waited_at, w.remedy AS remedy_kind, w.value AS remedy_value,
	w.gain_ns AS remedy_gain_ns, b.late_rank, b.late_ranks, b.in_turns_pct,
	(SELECT withheld FROM advice_limits) AS withheld,
	EXISTS (SELECT 1 FROM doubt) OR coalesce((SELECT said AND ends FROM outlook), 0) AS ahead
FROM worth_first w
JOIN bottleneck b ON b.rowid = w.bottleneck
LEFT JOIN done_of d ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn
	AND d.protocol IS b.protocol AND d.cause = b.cause
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
