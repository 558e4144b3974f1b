-- SPDX-License-Identifier: BSD-3-Clause
-- Parameters of the models. Functions of the length have a value for each: the first stands here.
SELECT coalesce(from_rank, 'any') || '-' || coalesce(to_rank, 'any') AS pair, model, name,
	value, unit, interval, note,
	CASE WHEN count(*) > 1 THEN count(*) || ' lengths' END AS values_at
FROM parameter
GROUP BY from_rank, to_rank, model, name
ORDER BY min(rowid)
