-- SPDX-License-Identifier: BSD-3-Clause
-- The place of each callsite. Callsites of all ranks with equal names are one place.
CREATE TEMP TABLE export_site AS
SELECT rank, callsite, dense_rank() OVER (ORDER BY text, file, line) AS place, text, file, line
FROM (
	SELECT rank, callsite, file, line,
		CASE WHEN function IS NOT NULL AND file IS NOT NULL
			THEN substr(function, 1, instr(function || ' (inlined', ' (inlined') - 1) || ' '
				|| replace(file, rtrim(file, replace(file, '/', '')), '') || ':' || line
			WHEN function IS NOT NULL THEN function
			WHEN module IS NOT NULL
			THEN replace(module, rtrim(module, replace(module, '/', '')), '')
				|| printf('+0x%x', offset)
			ELSE 'unknown' END AS text
	FROM callsite WHERE frame = 0);
CREATE INDEX temp.export_site_rank ON export_site (rank, callsite);
