#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# With MPI_THREAD_MULTIPLE each thread's ops are its own, none is lost, op_id is unique; requests that share a
# handle are completed in their order.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	check "$mpi: threads ends well" shim_run $mpi 2 out-$mpi "$(mpi_program $mpi threads)" 4 500
	check_whole $mpi out-$mpi 2
	for r in 0 1; do
		db=out-$mpi/rank-00000$r.db
		other=$((1 - r))
		# 500 rounds of an Isend and a Recv, then an Irecv and a Send, in each of 4 threads
		expect_sql $db "SELECT count(*), count(DISTINCT op_id), min(op_id), max(op_id) FROM op" \
			"4008|4008|1|4008"
		expect_sql $db "SELECT count(*) FROM op WHERE peer IS NOT $other OR bytes <> 4" 0
		expect_sql $db "SELECT kind, call, tag, count(*), count(DISTINCT thread) FROM op WHERE tag < 100
			GROUP BY 1, 2, 3 ORDER BY 1, 3" "recv|MPI_Recv|0|500|1
recv|MPI_Recv|1|500|1
recv|MPI_Recv|2|500|1
recv|MPI_Recv|3|500|1
send|MPI_Isend|0|500|1
send|MPI_Isend|1|500|1
send|MPI_Isend|2|500|1
send|MPI_Isend|3|500|1"
		expect_sql $db "SELECT count(DISTINCT thread) FROM op" 4
		expect_sql $db "SELECT kind, call, complete_call, count(*) FROM op WHERE tag >= 100 GROUP BY 1, 2, 3
			ORDER BY 1" "recv|MPI_Irecv|MPI_Wait|4
send|MPI_Send|MPI_Send|4"
		expect_sql $db "SELECT count(*) FROM pending" 0
		for posted in "collective WHERE call = 'MPI_Ibarrier'" "rma WHERE call = 'MPI_Rput'"; do
			expect_sql $db "SELECT group_concat(n) FROM (SELECT row_number() OVER (ORDER BY enter_ns) AS n
				FROM $posted ORDER BY complete_enter_ns)" "1,2,3"
		done
		expect_sql $db "SELECT call, sum(count) FROM call_profile WHERE call IN
			('MPI_Isend', 'MPI_Recv', 'MPI_Wait', 'MPI_Send', 'MPI_Irecv') GROUP BY call ORDER BY call" \
			"MPI_Irecv|4
MPI_Isend|2000
MPI_Recv|2000
MPI_Send|4
MPI_Wait|2004"
	done
	check "report" to report "$TRYST" report -f csv -s time out-$mpi
	expect "$mpi: no more time is in MPI than there was" \
		"$(awk -F, '$2 == "in MPI" { print ($4 > 0 && $4 <= 100) }' report)" 1
done
finish
