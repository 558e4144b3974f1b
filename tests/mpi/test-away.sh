#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=300
# Who computes between the post of a nonblocking collective and its MPI_Wait holds up the others: their waits are those
# that the program logged, blame and critical path end at the computation.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

# away MPI CALL RANK FUNCTION [some]: `some`: who is needed is judged by the clock.
away() {
	out=$1-$2
	check "$out: the program ends well" to log shim_run $1 4 $out "$(mpi_program $1 away)" $2 $3
	check "$out: it is analyzed" "$TRYST" analyze $out
	check "$out: waits are as logged" python3 "$TEST_SRC/tests/mpi/away-judge.py" log $out/run.db $4 $3 $5
	expect_sql $out/run.db "SELECT sum(blame_ns) FILTER (WHERE rank = $3 AND what = 'computation') >=
		0.6 * sum(blame_ns) FROM blame" 1
	expect_sql $out/run.db "SELECT sum(path_ns) FILTER (WHERE rank = $3 AND what = 'computation')
		> 240000000 FROM critical_path" 1
	expect_sql $out/run.db "SELECT abs(sum(path_ns) - (SELECT value FROM match_info WHERE
		key = 'path_run_ns')) * 100 <= sum(path_ns) FROM critical_path" 1
}

for mpi in $MPIS; do
	away $mpi iallreduce 1 mpi_iallreduce
	away $mpi ibarrier 2 mpi_ibarrier
	away $mpi ibcast 1 mpi_ibcast some
	check "$mpi: the report tells" to report "$TRYST" report -v --width 200 $mpi-iallreduce
	check "$mpi: for whom, and where" grep -q 'MPI_Iallreduce *late_progress  *[0-9]*  .*  1  .*away' report
	# its waits are where they were, in MPI_Wait
	check "$mpi: it is exported" "$TRYST" export -f chrome -o $mpi.json $mpi-iallreduce
	expect "$mpi: and has these waits" "$(python3 "$TEST_SRC/tests/mpi/trace-waits.py" $mpi.json | grep late_progress)" \
		"$(sql $mpi-iallreduce/run.db "SELECT rank || ' ' || complete_call || ' ' || state || ' ' ||
			late_rank || ' ' || sum(start_ns) || ' ' || sum(wait_ns) FROM collective_wait
			WHERE state = 'late_progress' GROUP BY rank, late_rank ORDER BY 1")"
done
case " $MPIS " in *" mpich "*) away mpich persistent 3 mpi_start some ;; esac
finish
