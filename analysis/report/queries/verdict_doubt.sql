-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the verdict not to be trusted? withheld: there is a replay, whose numbers are not told. Nothing where a hang
-- or an end before MPI_Finalize is all that is told.
SELECT doubt.*, EXISTS (SELECT 1 FROM worth_run WHERE run_ns NOT NULL) AS withheld
FROM doubt
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
