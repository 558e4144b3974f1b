#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# All three Fortran interfaces of every MPI are seen, each call once.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need gfortran gfortran
for mpi in $MPIS; do
	need_fortran $mpi
	for flavour in MPIF USE_MPI MPI_F08; do
		check "$mpi $flavour: compiles" "$compiler" -D$flavour -cpp -o ring-$mpi-$flavour "$TEST_SRC/tests/mpi/ring.F90"
		out=out-$mpi-$flavour
		check "$mpi $flavour: ring ends well" to stdout shim_run $mpi 2 $out ./ring-$mpi-$flavour
		expect "$mpi $flavour: its output" "$(cat stdout)" "ring done"
		check_whole "$mpi $flavour" $out 2
		for r in 0 1; do
			db=$out/rank-00000$r.db
			expect_sql $db "SELECT call, complete_call, count(*), min(peer), max(peer), min(bytes), max(bytes)
				FROM op WHERE call <> 'MPI_Isend' GROUP BY call ORDER BY call" \
				"MPI_Irecv|MPI_Wait|10|$((1 - r))|$((1 - r))|100|100
MPI_Recv|MPI_Recv|10|$((1 - r))|$((1 - r))|100|100
MPI_Send|MPI_Send|10|$((1 - r))|$((1 - r))|100|100"
			expect_sql $db "SELECT count(*) FROM op WHERE call = 'MPI_Isend' AND bytes = 100" 10
			expect_sql $db "SELECT call, sum(count) FROM call_profile WHERE call IN ('MPI_Irecv', 'MPI_Send',
				'MPI_Wait', 'MPI_Isend', 'MPI_Probe', 'MPI_Recv', 'MPI_Allreduce', 'MPI_Comm_rank')
				GROUP BY call ORDER BY call" "MPI_Allreduce|10
MPI_Comm_rank|1
MPI_Irecv|10
MPI_Isend|10
MPI_Probe|10
MPI_Recv|10
MPI_Send|10
MPI_Wait|10"
			expect_sql $db "SELECT count(*) FROM op WHERE call = 'MPI_Recv' AND asked_peer IS NOT NULL" 0
			# Each of the Fortran lines is its own callsite, though all pass through MPI's Fortran library.
			expect_sql $db "SELECT count(DISTINCT callsite) FROM op" 4
			expect_sql $db "SELECT count(*) FROM pending" 0
		done
	done
done
finish
