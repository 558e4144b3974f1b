-- SPDX-License-Identifier: BSD-3-Clause
-- The findings of a calibration. Models with the same finding share a row.
SELECT from_rank || '-' || to_rank AS pair, text, samples, bytes_low, bytes_high,
	CASE WHEN count(*) > 3 THEN count(*) || ' models' ELSE group_concat(model, ', ') END AS models,
	name
FROM finding
GROUP BY from_rank, to_rank, kind, samples, bytes_low, bytes_high, text
ORDER BY from_rank, to_rank, min(rowid)
