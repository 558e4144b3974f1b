-- SPDX-License-Identifier: BSD-3-Clause
-- What each rank did with its time (ranks_rows.sql). ranks: how many there are.
SELECT *, count(*) OVER () AS ranks
FROM rank_row
ORDER BY rank
LIMIT iif(:for_data, -1, :top)
