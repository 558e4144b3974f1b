-- SPDX-License-Identifier: BSD-3-Clause
-- Fills the tables of a scaling study. Runs share a place if build-id and offset are equal, or else the line.
INSERT INTO size
SELECT row_number() OVER (ORDER BY all_ranks), all_ranks, count(*), sum(ranks), avg(run_ns)
FROM sized
GROUP BY all_ranks;

INSERT INTO part
SELECT c.what || '|' || coalesce(s.id, s.place, 'unknown') || '|' || coalesce(c.call, '') || '|' || coalesce(c.cause, ''), c.what,
	max(coalesce(s.place, 'unknown')), c.call, c.cause, z.ranks, 1.0 * sum(count) * z.ranks / z.ranks_read,
	1.0 * sum(ns) / z.ranks_read
FROM cell c
JOIN sized r ON r.side = c.side
JOIN size z ON z.ranks = r.all_ranks
LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank AND s.callsite = c.callsite
GROUP BY 1, z.ranks;
