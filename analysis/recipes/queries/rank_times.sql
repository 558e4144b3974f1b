-- SPDX-License-Identifier: BSD-3-Clause
-- Where did each rank's time go: MPI, tryst, the program?
SELECT rank, sum(wall_ns) AS wall_ns, sum(mpi_ns) AS mpi_ns, sum(tool_ns) AS tool_ns, sum(outside_ns) AS outside_ns
FROM thread_time
GROUP BY rank
ORDER BY mpi_ns DESC, rank
LIMIT :top
