-- SPDX-License-Identifier: BSD-3-Clause
-- Thresholds of each send form, and what its call takes up to S.
SELECT from_rank || '-' || to_rank AS pair, coalesce(form, 'send') AS form,
	coalesce(layout, 'contiguous') AS layout,
	CAST(max(value) FILTER (WHERE name = 'S') AS INTEGER) AS S,
	CAST(max(value) FILTER (WHERE name = 'S_p') AS INTEGER) AS S_p,
	max(value) FILTER (WHERE name = 'o')
		- coalesce(max(value) FILTER (WHERE name = 'o_diff'), 0) AS o_ns,
	max(value) FILTER (WHERE name = 'O_ss') AS O_s_ns_per_byte,
	max(reason) FILTER (WHERE name = 'S') AS S_note
FROM fit
WHERE model = 'LogGPS' AND name IN ('S', 'S_p', 'o', 'o_diff', 'O_ss')
GROUP BY 1, 2, 3
