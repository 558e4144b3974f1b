-- SPDX-License-Identifier: BSD-3-Clause
-- Sites that have no equal in the other run yet: one row for each function, call and line. pos:
-- the line, or the offset if there are no lines.
CREATE INDEX cell_key ON cell (side, rank, callsite);
CREATE TEMP TABLE element (id INTEGER PRIMARY KEY, side INTEGER, function TEXT, unit TEXT,
	call TEXT, pos INTEGER, place TEXT, line INTEGER, mate INTEGER);
INSERT INTO element (side, function, unit, call, pos, place, line)
SELECT side, coalesce(function, ''), coalesce(unit, ''),
	coalesce((SELECT min(call) FROM cell c WHERE c.side = s.side AND c.rank = s.rank
		AND c.callsite = s.callsite AND what = 'call'), '') AS made,
	coalesce(line, offset, 0), max(place), line
FROM site s WHERE id IS NULL GROUP BY 1, 2, 3, 4, 5;
CREATE UNIQUE INDEX element_key ON element (side, function, unit, call, pos);
