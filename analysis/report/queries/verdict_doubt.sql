-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the verdict not to be trusted? Nothing where a hang or an end before MPI_Finalize is all that is told.
SELECT *
FROM doubt
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
