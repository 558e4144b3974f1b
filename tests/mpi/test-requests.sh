#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# Every op has exactly one row, with the right peer, tag, bytes and completing call; every call is counted.
# Numbers of ops have no gap: what makes a persistent request takes none.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	for n in 1 2 3; do
		mkdir j-$mpi-$n
		JOURNAL=$PWD/j-$mpi-$n
		export JOURNAL
		check "$mpi, $n ranks: requests ends well" shim_run $mpi $n out-$mpi-$n "$(mpi_program $mpi requests)"
		check_whole "$mpi, $n ranks" out-$mpi-$n $n
		check_journal "$mpi, $n ranks: rows are what the program did" out-$mpi-$n j-$mpi-$n
		expect_sql out-$mpi-$n/rank-000000.db "SELECT count(*) - max(op_id) FROM op" 0
		expect_sql out-$mpi-$n/rank-000000.db "SELECT count(*) FROM (SELECT
			post_enter_ns - lag(post_enter_ns) OVER (ORDER BY op_id) AS step FROM op) WHERE step < 0" 0
		expect_sql out-$mpi-$n/rank-000000.db "SELECT count(*) FROM op WHERE post_leave_ns < post_enter_ns OR
			complete_enter_ns < post_enter_ns OR complete_leave_ns < max(complete_enter_ns, post_leave_ns)" 0
		# shares of a call add up to it
		expect_sql out-$mpi-$n/rank-000000.db "SELECT count(*) FROM (SELECT 1 FROM op WHERE complete_call = 'MPI_Waitall'
			GROUP BY complete_enter_ns, complete_leave_ns
			HAVING abs(sum(blocked_ns) - complete_leave_ns + complete_enter_ns) > count(*))" 0
	done
	# From one line, with so many in flight that not all are complete at once.
	check "$mpi: windows of messages end well" shim_run $mpi 2 window-$mpi "$(mpi_program $mpi percall)" window 220
	for rank in 0 1; do
		expect_sql window-$mpi/rank-00000$rank.db "SELECT total(flags LIKE '%at_post%' AND complete_call <> call),
			total(call = 'MPI_Isend' AND complete_call = CASE WHEN flags LIKE '%at_post%' THEN call ELSE 'MPI_Waitall' END),
			total(call = 'MPI_Irecv' AND complete_call = 'MPI_Waitall' AND complete_enter_ns >= post_enter_ns
				AND peer = 1 - $rank) FROM op" "0.0|14080.0|14080.0"
	done
done
finish
