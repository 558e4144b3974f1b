-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words, where it is a hundredth of all waits.
SELECT printf('%s lost in %s at %s: %,d message%s of %s to %s between %d pair%s of ranks, %s; '
		|| 'remedy: %s', duration(sum(wait_ns)), call, coalesce(s.place, 'unknown'),
		sum(count), iif(sum(count) = 1, '', 's'), size(min(min_bytes)),
		size(max(max_bytes)), count(DISTINCT b.rank || ' ' || b.peer),
		iif(count(DISTINCT b.rank || ' ' || b.peer) = 1, '', 's'),
		coalesce(cause_hint, 'cause unknown'), remedy)
FROM rendezvous_bottlenecks b
LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite
GROUP BY coalesce(s.place, 'unknown'), call, cause_hint, remedy
HAVING sum(wait_ns) >= 0.01 * (SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0)
ORDER BY sum(wait_ns) DESC, 1
LIMIT :top
