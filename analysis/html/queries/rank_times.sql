-- SPDX-License-Identifier: BSD-3-Clause
-- How long was each rank in each part of its time?
SELECT rank, part, ns AS time_ns
FROM rank_time
ORDER BY rank, part
