-- SPDX-License-Identifier: BSD-3-Clause
-- How far was each rank's clock from the reference, at the points at which it was compared?
SELECT rank, count(*) AS points, min(offset_ns) AS least_offset_ns, max(offset_ns) AS most_offset_ns,
	max(error_ns) AS error_ns
FROM clock
GROUP BY rank
