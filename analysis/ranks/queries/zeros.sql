-- SPDX-License-Identifier: BSD-3-Clause
-- Each rank's clock, and when it showed 0. A rank that does not fit into an id is left out: as
-- a number of 32 bits it would not stay in order.
SELECT rank, max(value) FILTER (WHERE key = 'boot_id'),
	max(CAST(value AS REAL)) FILTER (WHERE key = 'ns_per_tick'),
	max(value) FILTER (WHERE key = 'zero_ticks'),
	max(value) FILTER (WHERE key = 'zero_monotonic_ns'),
	max(value) FILTER (WHERE key = 'clock_id'), max(value) FILTER (WHERE key = 'host'),
	max(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns')
FROM run
WHERE typeof(rank) = 'integer' AND rank BETWEEN 0 AND 8388607
GROUP BY rank ORDER BY rank
