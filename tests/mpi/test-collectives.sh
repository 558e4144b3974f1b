#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Every collective has one row a rank, numbered alike on all ranks of its communicator.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	for n in 1 2 4; do
		JOURNAL=$PWD/j-$mpi-$n
		export JOURNAL
		mkdir "$JOURNAL"
		check "$mpi, $n ranks: collectives ends well" shim_run $mpi $n out-$mpi-$n "$(mpi_program $mpi collectives)"
		check_whole "$mpi, $n ranks" out-$mpi-$n $n
		check_journal "$mpi, $n ranks: counts are what the program did" out-$mpi-$n "$JOURNAL"
		for r in $(seq 0 $((n - 1))); do
			rank=$(printf %06d "$r")
			expect "$mpi, $n ranks: rank $r's collectives on MPI_COMM_WORLD in order, with their roots" \
				"$(sql out-$mpi-$n/rank-$rank.db "SELECT seq, call, coalesce(root, '-') FROM collective
					WHERE comm = 1 ORDER BY seq" | md5sum)" "$(md5sum <"$JOURNAL/colls-$rank.txt")"
			[ $lib_failed -eq 0 ] || {
				sql out-$mpi-$n/rank-$rank.db "SELECT seq, call, coalesce(root, '-') FROM collective
					WHERE comm = 1 ORDER BY seq" | diff - "$JOURNAL/colls-$rank.txt" | head -n 10
			}
			# 10 on the periodic line beside those of MPI_COMM_WORLD
			expect_sql out-$mpi-$n/rank-$rank.db "SELECT count(*) FROM collective WHERE call LIKE '%eighbor%'" 10
			expect_sql out-$mpi-$n/rank-$rank.db \
				"SELECT count(*) FROM collective WHERE leave_ns < enter_ns OR complete_leave_ns < complete_enter_ns
				OR complete_leave_ns IS NULL OR blocked_ns < 0" 0
		done
	done
done
finish
