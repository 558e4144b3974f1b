-- SPDX-License-Identifier: BSD-3-Clause
-- The tables in which a rank's file may have rows. Merging and the analysis fill all others; the
-- analysis fills match_row and the tables that follow it.
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT IN ('input', 'merge_info', 'site_row', 'clock_cell')
	AND rowid < (SELECT rowid FROM sqlite_master WHERE name = 'match_row')
ORDER BY rowid
