#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=180
# Each one-sided operation and synchronisation has a row that says what the program did.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
for mpi in $MPIS; do
	out=out-$mpi
	journal=$PWD/journal-$mpi
	mkdir "$journal"
	check "$mpi: the program ends well" shim_run $mpi 3 $out env JOURNAL="$journal" "$(mpi_program $mpi rma)"
	check_whole "$mpi" "$out" 3
	check_journal "$mpi: calls are as the program counted them" "$out" "$journal"
	for r in 0 1 2; do
		expect "$mpi: rows of rank $r are the program's" "$(sql $out/rank-00000$r.db "SELECT call, window,
			coalesce(seq, '-'), coalesce(peer, '-'), bytes,
			CASE WHEN call LIKE 'MPI_R%' AND complete_call = call THEN 'MPI_Wait' ELSE complete_call END
			FROM rma ORDER BY enter_ns")" "$(cat "$journal/rma-00000$r.txt")"
	done
	expect_sql "$out" "SELECT window, maker, comm > 2, bytes, disp_unit, name FROM rma_window WHERE window < 4" \
		"1|MPI_Win_create|0|256|4|halo
2|MPI_Win_allocate|0|256|4|
3|MPI_Win_allocate|1|64|8|
1|MPI_Win_create|0|256|4|halo
2|MPI_Win_allocate|0|256|4|
3|MPI_Win_allocate|1|64|8|
1|MPI_Win_create|0|256|4|halo
2|MPI_Win_allocate|0|256|4|
3|MPI_Win_allocate|1|64|8|"
	expect_sql "$out" "SELECT count(*) FROM rma WHERE blocked_ns < 0 OR leave_ns < enter_ns
		OR complete_leave_ns < complete_enter_ns OR complete_enter_ns < enter_ns OR blocked_ns IS NULL" "0
0
0"
	expect_sql "$out" "SELECT count(*) FROM pending" "0
0
0"
	# window 4: rank 1 came 100 ms late to the second fence
	expect_sql "$out/rank-000000.db" "SELECT blocked_ns > 10000000 FROM rma WHERE window = 4 AND seq = 2" 1
	expect_sql "$out/rank-000000.db" "SELECT call, count, bytes, blocked_ns > 10000000 FROM rma_by_callsite
		WHERE window = 4 AND call = 'MPI_Win_fence' ORDER BY blocked_ns DESC LIMIT 1" "MPI_Win_fence|1|0|1"
	check "$mpi: merged" "$TRYST" merge "$out"
	expect_sql "$out/run.db" "SELECT rank, wait_ns > 10000000, members, late_rank FROM rma_wait
		WHERE window = 4 AND seq = 2 AND rank <> 1 ORDER BY rank" "0|1|3|1
2|1|3|1"
	check "$mpi: it is analyzed" "$TRYST" analyze "$out"
	expect_sql "$out/run.db" "SELECT sum(path_ns) > 80000000 FROM critical_path WHERE rank = 1 AND what = 'computation'" 1
	expect_sql "$out/run.db" "SELECT sum(blame_ns) > 80000000 FROM blame WHERE rank = 1 AND what = 'computation'" 1
	sqlite3 "$out/run.db" "UPDATE OR REPLACE critical_path_cell SET what = 2"
	check "$mpi: the path says where it may end too early" sh -c '"$1" report -v --width 200 "$2" >report &&
		grep -q "^In other calls (.*%) a rank may have waited for another one" report' sh "$TRYST" "$out"
	expect "$mpi: a window is the same on all ranks" "$(sql "$out/run.db" "SELECT window, count(DISTINCT uid),
		count(*) FROM rma_window GROUP BY window")" "1|1|3
2|1|3
3|1|3
4|1|3"
	expect "$mpi: no two windows are one" "$(sql "$out/run.db" "SELECT count(DISTINCT uid) FROM rma_window")" 4
done

# Rows beyond the budget are counted by table; profiles stay complete.
for mpi in $MPIS; do
	check "$mpi: the program ends well with few rows" shim_run $mpi 2 few-$mpi env TRYST_MAX_OPS=100 \
		"$(mpi_program $mpi rma)" 5000
	for r in 0 1; do
		db=few-$mpi/rank-00000$r.db
		expect_sql $db "SELECT value > 1000 FROM run WHERE key = 'dropped_rma'" 1
		expect_sql $db "SELECT value FROM run WHERE key = 'dropped_io'" 0
		expect_sql $db "SELECT sum(count), sum(bytes) FROM call_profile WHERE call = 'MPI_Put'" "$((5000 + 4))|$((20000 + 52))"
		# one MPI_Win_test succeeded
		expect_sql $db "SELECT 1 + sum(count) = (SELECT count(*) FROM rma) +
			(SELECT value FROM run WHERE key = 'dropped_rma') FROM call_profile
			WHERE call GLOB 'MPI_Win_*' AND call NOT IN ('MPI_Win_test', 'MPI_Win_set_name')
			OR call GLOB 'MPI_*ccumulate' OR call IN ('MPI_Put', 'MPI_Get', 'MPI_Rput', 'MPI_Rget',
			'MPI_Fetch_and_op', 'MPI_Compare_and_swap', 'MPI_Put_c', 'MPI_Get_c')" 1
	done
done
finish
