-- SPDX-License-Identifier: BSD-3-Clause
-- What a replay gives (tables of analysis/replay/queries/tables.sql).

-- query predict_run: the run time as measured, as replayed without a change, and under the scenario
SELECT run_before_ns, run_same_ns, run_after_ns, run_after_ns - run_before_ns AS change_ns,
	100.0 * (run_after_ns - run_before_ns) / max(run_before_ns, 1) AS change_pct, moved, run_low_ns, run_high_ns,
	(SELECT count(DISTINCT rank) FROM in_call WHERE call NOT IN ('MPI_Wtime', 'MPI_Wtick')) AS unreturned FROM temp.scenario

-- query predict_notes: limits and assumptions of the prediction
SELECT note FROM temp.scenario_note

-- query predict_sweep: the run time at each value of a parameter
SELECT parameter, value_bytes, value, run_ns, run_ns - run_before_ns AS change_ns, w.moved, w.stuck
FROM temp.scenario_sweep w, temp.scenario ORDER BY coalesce(value_bytes, value)

-- query predict_sweep_told: the same for people, each value with its unit
SELECT parameter, CASE WHEN value_bytes > 0 THEN size(value_bytes) WHEN parameter GLOB '*G' THEN printf('%.3g ns/B', w.value)
	ELSE duration(w.value) END AS value, run_ns, run_ns - run_before_ns AS change_ns, w.moved, w.stuck
FROM temp.scenario_sweep w, temp.scenario ORDER BY coalesce(value_bytes, w.value)

-- query predict_ranks: the ranks
SELECT * FROM temp.scenario_rank ORDER BY rank

-- query predict_map: the hosts of the ranks
SELECT rank, host_before, host_after FROM temp.scenario_map ORDER BY rank

-- query predict_loggopsim: the run by that simulator's rules
SELECT l.run_ns, l.run_ns - run_before_ns AS change_ns, L_ns, o_ns, O_ns_per_byte, G_ns_per_byte, S_bytes
FROM temp.scenario_loggopsim l, temp.scenario
