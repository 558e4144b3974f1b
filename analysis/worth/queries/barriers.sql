-- SPDX-License-Identifier: BSD-3-Clause
-- The callsites of the barrier at which pattern ?1 has most of its waits.
SELECT s.rank, s.callsite
FROM pattern p
JOIN site s ON s.place = p.place
WHERE p.pattern = ?1 AND p.call = 'MPI_Barrier'
