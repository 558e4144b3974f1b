-- SPDX-License-Identifier: BSD-3-Clause
-- Tables that a report relies on, whatever was opened, and what is asked when a run is opened.

-- query world: directories of processes that MPI spawned
CREATE TEMP TABLE world (path TEXT)

-- query started: programs that a launcher started, as they left a mark
CREATE TEMP TABLE started (host TEXT, pid INTEGER, program TEXT, loaded INTEGER, why TEXT, together INTEGER)

-- query all_in_init: were all ranks in MPI_Init at the end?
SELECT (SELECT count(*) FROM run WHERE key = 'in_init') >= (SELECT count(DISTINCT rank) FROM run)

-- query cut: the number of ranks that could not be read whole
SELECT count(*) FROM input WHERE state IN ('partial', 'left_out')
