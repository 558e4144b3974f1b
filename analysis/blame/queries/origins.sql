-- SPDX-License-Identifier: BSD-3-Clause
-- The eight costliest bottlenecks, of causes with a late rank. One line of the program has
-- different callsites on different ranks, and one for each way to the line. Places are told
-- apart as in reports.
CREATE TEMP TABLE origin AS
WITH e AS (
	SELECT rank, callsite, bottleneck AS code,
		sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) AS ns
	FROM exact_cell_fields
	WHERE by_late_rank AND (cause <> 'late_receiver' OR may_be_rendezvous)
	GROUP BY rank, callsite, bottleneck
)
SELECT e.*, coalesce(iif(f.file IS NULL, f.function,
		substr(f.function, 1, instr(f.function || ' (inlined', ' (inlined') - 1) || ' ' || f.file
			|| ':' || f.line),
	m.path || ':' || f.offset, '') AS place
FROM e LEFT JOIN site_row s ON s.rank = e.rank AND s.callsite = e.callsite
	LEFT JOIN frame_row f ON f.rank = coalesce(s.first_rank, e.rank)
		AND f.callsite = coalesce(s.first_callsite, e.callsite) AND f.frame = 0
	LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module;

INSERT INTO blame_of_row
SELECT row_number() OVER (ORDER BY ns DESC, place, code), code, rank, callsite
FROM (SELECT place, code, sum(ns) AS ns, min(rank) AS rank, callsite FROM origin
	GROUP BY place, code ORDER BY 3 DESC, place, code LIMIT 8)
WHERE ns > 0;
