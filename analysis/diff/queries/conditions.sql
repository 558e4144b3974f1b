-- SPDX-License-Identifier: BSD-3-Clause
-- The conditions of --fail-if, in the order of the option.
SELECT condition, a_ns, b_ns, b_ns - a_ns AS change_ns, a_count, b_count, b_count - a_count AS change_count,
	100.0 * (coalesce(b_ns, b_count) - coalesce(a_ns, a_count)) / nullif(coalesce(a_ns, a_count), 0) AS change_pct, is_met
FROM condition
ORDER BY rowid
