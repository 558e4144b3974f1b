-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the run not replayed? ?1: messages of the longest run that is. NULL: nothing is against it. A replay would take
-- calls without rows for computation.
SELECT CASE
	WHEN (SELECT CAST(value AS INTEGER) FROM match_info WHERE key = 'messages') > CAST(?1 AS INTEGER) THEN 'long'
	WHEN EXISTS (SELECT 1 FROM outlook WHERE state = 'runs') THEN 'runs'
	WHEN EXISTS (SELECT 1 FROM at_end) THEN 'cut_short'
	WHEN EXISTS (SELECT 1 FROM without_rows) THEN 'without_rows'
	WHEN NOT EXISTS (SELECT 1 FROM bottleneck)
		AND NOT EXISTS (
		SELECT 1
		FROM pattern
		WHERE name IN ('small_messages', 'load_imbalance', 'fan_out', 'fan_in', 'ring', 'master')) THEN 'nothing' END
