-- SPDX-License-Identifier: BSD-3-Clause
-- The place of each callsite. If a function has no name, the first caller with a name follows
-- behind "<".
CREATE TEMP TABLE site (rank INTEGER, callsite INTEGER, place TEXT, PRIMARY KEY (rank, callsite))
	WITHOUT ROWID;

INSERT INTO site
SELECT rank, callsite, CASE
	WHEN function IS NOT NULL AND file IS NOT NULL
		THEN substr(function, 1, instr(function || ' (inlined', ' (inlined') - 1) || ' '
		|| short_file(file) || ':' || line
	WHEN function IS NOT NULL THEN function
	WHEN module IS NOT NULL THEN short_file(module) || printf('+0x%x', offset)
		|| coalesce(' < ' || (
			SELECT o.function
			FROM callsite o
			WHERE o.rank = c.rank AND o.callsite = c.callsite AND o.frame > 0
				AND o.function NOT LIKE '\_\_libc\_start%' ESCAPE '\'
				AND o.function <> '_start'
			ORDER BY o.frame
			LIMIT 1), '')
	ELSE 'unknown' END
FROM (
	SELECT f.rank, callsite, function, file, line, offset, path AS module
	FROM frame_row f
	LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module
	WHERE frame = 0) c;

INSERT INTO site
SELECT t.rank, t.callsite, s.place
FROM site_row t
JOIN site s ON s.rank = t.first_rank AND s.callsite = t.first_callsite;
