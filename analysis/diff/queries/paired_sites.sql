-- SPDX-License-Identifier: BSD-3-Clause
-- Elements that were put together become one site. Its place names both lines where they differ.
UPDATE element SET mate = id WHERE mate IS NULL;
CREATE TEMP TABLE pair AS
SELECT a.id, a.place || iif(a.place = b.place, '', ' (B: ' || iif(a.function = b.function
	AND a.unit = b.unit, coalesce(b.line, b.place), b.place) || ')') AS place
FROM element a JOIN element b ON b.mate = a.id AND b.side = 1
WHERE a.side = 0;
CREATE UNIQUE INDEX pair_id ON pair (id);

UPDATE site SET id = (SELECT 'e' || mate FROM element e WHERE e.side = site.side
	AND e.function = coalesce(site.function, '') AND e.unit = coalesce(site.unit, '')
	AND e.call = coalesce((SELECT min(call) FROM cell c WHERE c.side = site.side
		AND c.rank = site.rank AND c.callsite = site.callsite AND what = 'call'), '')
	AND e.pos = coalesce(site.line, site.offset, 0))
WHERE id IS NULL;

UPDATE site SET place = coalesce((SELECT place FROM pair
	WHERE pair.id = CAST(substr(site.id, 2) AS INTEGER)), place)
WHERE id LIKE 'e%';
