-- SPDX-License-Identifier: BSD-3-Clause
-- case: programs by their arguments where ranks recorded them, else as they were started
INSERT INTO run VALUES (0, 'end_ns', 10), (0, 'program', 'a'), (1, 'program', 'b'), (1, 'arguments', 'b -x'), (2, 'program', 'a');
-- ask: SELECT nth, program, ranks, nranks, programs FROM program_row
-- rows:
-- nth|program|ranks|nranks|programs
-- 0|a|0,2|2|2
-- 1|b -x|1|1|2

-- case: the first line of the library's text, hosts, and the ranks of the world
INSERT INTO run VALUES (0, 'mpi_library', 'MPICH Version:' || char(9) || '4.0' || char(10) || 'built by'), (0, 'host', 'a'),
	(1, 'host', 'a'), (0, 'world_size', 8);
-- ask: SELECT l.text, h.n AS hosts, r.n AS ranks FROM mpi_library l, hosts h, ranks_in_all r
-- rows:
-- text|hosts|ranks
-- MPICH 4.0|1|8
