-- SPDX-License-Identifier: BSD-3-Clause
-- The tables that a rank's file may have rows in. All others are made by merging and behind it, and those that
-- begin with match_row by an analysis.
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT IN ('input', 'merge_info', 'site_row', 'clock_cell')
	AND rowid < (SELECT rowid FROM sqlite_master WHERE name = 'match_row')
ORDER BY rowid
