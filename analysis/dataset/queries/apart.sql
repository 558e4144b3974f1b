-- SPDX-License-Identifier: BSD-3-Clause
-- Processes that were started together and each took itself for a world of its own, as under the
-- launcher of another MPI. The library's name ends at the first comma or line.
CREATE TEMP TABLE apart AS SELECT max(together) AS processes,
	printf('%d processes were started and each took itself for rank 0 of 1: is the launcher that'
		|| ' of another MPI than the program''s%s? Each has a directory of its own: DIR, DIR.2'
		|| ' and so on', max(together),
		(SELECT ' (' || replace(substr(value, 1,
			instr(replace(value, char(10), ',') || ',', ',') - 1), ' Version:' || char(9), ' ')
			|| ')' FROM run WHERE key = 'mpi_library' LIMIT 1)) AS text
FROM started
WHERE loaded AND (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size') = 1
HAVING max(together) > 1
