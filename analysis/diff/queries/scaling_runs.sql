-- SPDX-License-Identifier: BSD-3-Clause
-- The runs of a scaling study. missing: ranks that were not read; NULL: none.
SELECT printf('%d', side + 1) AS side, name, program, all_ranks AS ranks, missing,
	coalesce(messages, 0) AS messages, both_sides, run_ns
FROM sized
ORDER BY all_ranks, side
