-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the verdict in doubt? No row if the verdict only tells of a hang, or of an end before MPI_Finalize.
SELECT *
FROM doubt
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
