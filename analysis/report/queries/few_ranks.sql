-- SPDX-License-Identifier: BSD-3-Clause
-- What each rank did with its time, if there are few ranks (ranks_rows.sql). ranks: how many there are.
SELECT *
FROM (SELECT *, count(*) OVER () AS ranks FROM rank_row)
WHERE ranks <= 16
ORDER BY rank
