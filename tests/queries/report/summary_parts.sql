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

-- case: of the waiting, what threads lacked of a CPU and what ranks slept, where the kernel recorded it on all ranks
-- Of 100 + 60 + 40 ns, 50 and 10 are CPU loss. A negative other_ns takes nothing off.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'sample_period_ns', 5000000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns, no_cpu_ns, other_no_cpu_ns,
	blocked_outside_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=no_cpu'), 1, 1, 1, 100, 60, 50, 30, 20),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 0, 7, 0, 7, 0, 0);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start, no_cpu, blocked_outside)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 40, 2, 1, 0, 10, 0);
-- ask: SELECT * FROM lost_in_waits
-- rows:
-- wait_ns|lost_ns|blocked_ns|sampled
-- 200|60|20|1

-- case: calls without a prediction: their known waits alone, as in the verdict, and the CPU loss in these
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'sample_period_ns', 5000000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns, no_cpu_ns, other_no_cpu_ns,
	blocked_outside_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv cause=late_sender'), 1, 1, 1, 100, 900, 850, 800, 120);
-- ask: SELECT * FROM lost_in_waits
-- rows: values
-- 100|50|100|1

-- case: the kernel's account of one rank, the recorded times of a killed one, and nothing of another
INSERT INTO run VALUES (0, 'cpu_wait_ns', 7), (0, 'sample_period_ns', 10000), (1, 'sample_period_ns', 10000),
	(2, 'end_ns', 1000);
INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
SELECT (rank << 40) + 1, 0, 30, 0, id, 1, 0 FROM off_cpu_name JOIN (SELECT 0 AS rank UNION ALL SELECT 1)
WHERE name = 'preempted';
-- ask: SELECT rank, ns FROM cpu_shortage
-- rows:
-- rank|ns
-- 0|7
-- 1|30
