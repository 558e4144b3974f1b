-- SPDX-License-Identifier: BSD-3-Clause
-- case: what ran and for how long, and what the kernel said
-- Rank 1 slept for 1000 - 300 - 100 (CPU and shortage) - 200 (MPI) = 400 ns, rank 0 did not say.
INSERT INTO run VALUES (0, 'program', 'ring'), (1, 'program', 'ring'), (0, 'end_ns', 1200), (1, 'end_ns', 1000),
	(0, 'clean_finalize', 1), (1, 'clean_finalize', 1), (0, 'world_size', 3), (0, 'host', 'a'), (1, 'host', 'b'),
	(0, 'mpi_library', 'Open MPI v4, package'), (1, 'cpu_ns', 300), (1, 'cpu_wait_ns', 100);
INSERT INTO match_info VALUES ('messages', 7);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 1, id, 3 FROM unmatched_name WHERE name IN ('not_received', 'cancelled') UNION ALL SELECT 0, 1, 0, 7;
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (1, call('MPI_Send'), 1, 1, 200);
-- rows:
-- program|ranks_read|ranks|hosts|mpi|run_ns|run_most_ns|all_ranks_ns|no_processor_ns|slept_outside_ns|messages|ops_without_partner|not_received|spawned_worlds|in_init|runs|no_processor_pct|slept_pct|wait_no_cpu_ns|wait_no_cpu_pct|wait_blocked_ns|wait_blocked_pct
-- ring|2|3|2|Open MPI v4|1200|1200|2200|100|400|7|6|3|-|0|0|4.54545|18.1818|-|-|-|-

-- case: a rank was found dead long after its last record, and the end of another is unknown
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'clean_finalize', 0),
	(0, 'found_dead_ns', 5000);
-- rows:
-- program|ranks_read|ranks|hosts|mpi|run_ns|run_most_ns|all_ranks_ns|no_processor_ns|slept_outside_ns|messages|ops_without_partner|not_received|spawned_worlds|in_init|runs|no_processor_pct|slept_pct|wait_no_cpu_ns|wait_no_cpu_pct|wait_blocked_ns|wait_blocked_pct
-- -|2|2|0|-|1000|-|2000|-|-|-|-|-|-|0|0|-|-|-|-|-|-
