-- SPDX-License-Identifier: BSD-3-Clause
-- The runs of a scaling study.
SELECT printf('%d', side + 1) AS side, name, program, ranks, coalesce(messages, 0) AS messages, both_sides, run_ns
FROM run
ORDER BY run.ranks, run.side
