-- SPDX-License-Identifier: BSD-3-Clause
-- The callsites of the barrier at which pattern ?1 has most of its waits. A callsite that also calls something else, by
-- a macro, is none.
SELECT s.rank, s.callsite
FROM pattern p
JOIN site s ON s.place = p.place
JOIN site_call c ON c.rank = s.rank AND c.callsite = s.callsite AND c.call = p.call
WHERE p.pattern = ?1 AND p.call = 'MPI_Barrier'
