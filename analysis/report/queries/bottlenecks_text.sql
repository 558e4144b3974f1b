-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words, where it is a hundredth of all waits.
SELECT printf('%s lost in %s%s at %s: %,d %s message%s of %s%s between %d pair%s of ranks',
		duration(ns), coalesce(done_call || ' at ' || done_place || ', for ', ''), b.call,
		b.place, count, b.protocol, iif(count = 1, '', 's'), size(least_bytes),
		iif(most_bytes > least_bytes, ' to ' || size(most_bytes), ''), pairs,
		iif(pairs = 1, '', 's')), 'why: ' || why, 'what helps: ' || remedy
FROM (SELECT *, coalesce(wait_ns, unhidden_ns) AS ns FROM bottleneck) b
LEFT JOIN done_of d ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn
	AND d.protocol = protocol_id AND d.cause = cause_id
WHERE ns >= 0.01 * coalesce((SELECT ns FROM waited_sum), 0)
ORDER BY ns DESC, b.place, b.call, b.cause
LIMIT :top
