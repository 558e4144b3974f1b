-- SPDX-License-Identifier: BSD-3-Clause
-- The runs of a scaling study by their number of ranks. speedup: how much more work is done in the same time.
SELECT i.ranks, i.runs, CAST(run_ns AS INTEGER) AS run_ns, CAST(share * first_ns AS INTEGER) AS ideal_ns,
	round(work * first_ns / nullif(run_ns, 0), 2) AS speedup, round(100.0 * share * first_ns / nullif(run_ns, 0), 1) AS efficiency_pct,
	CAST((SELECT sum(iif(cause = 'run', rank_ns, -rank_ns)) FROM part p WHERE p.ranks = i.ranks AND what = 'time'
		AND cause IN ('run', 'in MPI', 'tryst itself')) AS INTEGER) AS computation_ns,
	CAST((SELECT sum(rank_ns) FROM part p WHERE p.ranks = i.ranks AND what = 'time' AND cause = 'in MPI') AS INTEGER) AS mpi_ns,
	CAST((SELECT sum(rank_ns) FROM part p WHERE p.ranks = i.ranks AND what = 'wait') AS INTEGER) AS wait_ns
FROM ideal i
ORDER BY i.ranks
