-- SPDX-License-Identifier: BSD-3-Clause
-- Which runs these are.
SELECT iif(side = 0, 'A', 'B') AS side, name, program, all_ranks AS ranks, missing, coalesce(messages, 0) AS messages, both_sides
FROM sized
ORDER BY side
