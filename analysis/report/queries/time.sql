-- SPDX-License-Identifier: BSD-3-Clause
-- How much of the ranks' time was each part of it?
SELECT iif(:for_data, plain,
		name || iif(part = 'run', coalesce(' (sum of ' || (SELECT text FROM summed) || ')', ''), '')) AS what,
	all_ranks_ns, share_pct, least_ns, least_on, most_ns, most_on
FROM time_row
ORDER BY nth
