-- SPDX-License-Identifier: BSD-3-Clause
-- What to ask next, in one row. late: ranks are late for others; tried: remedies were replayed; cut_short: calls are
-- pending.
SELECT EXISTS (SELECT 1 FROM blame_cell) AND EXISTS (SELECT 1 FROM match_info) AS late,
	EXISTS (SELECT 1 FROM remedy_tried) AS tried, EXISTS (SELECT 1 FROM at_end) AS cut_short
