#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=180
# Windows, files and MPI_PCONTROL in all three Fortran interfaces of every MPI.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need gfortran gfortran
for mpi in $MPIS; do
	need_fortran $mpi
	for flavour in MPIF USE_MPI MPI_F08; do
		check "$mpi $flavour: compiles" "$compiler" -D$flavour -cpp -w -fallow-argument-mismatch -o kinds-$mpi-$flavour \
			"$TEST_SRC/tests/mpi/kinds.F90"
		out=out-$mpi-$flavour
		check "$mpi $flavour: the program ends well" to stdout shim_run $mpi 2 $out ./kinds-$mpi-$flavour
		expect "$mpi $flavour: its output" "$(cat stdout)" "kinds done"
		for r in 0 1; do
			db=$out/rank-00000$r.db
			expect_sql $db "SELECT call, window, seq, peer, bytes FROM rma" "MPI_Win_create|1|0||0
MPI_Win_fence|1|1||0
MPI_Put|1||$((1 - r))|12
MPI_Win_fence|1|2||0
MPI_Win_free|1|3||0"
			expect_sql $db "SELECT call, seq, bytes, complete_call IN (call, 'MPI_Wait') FROM io ORDER BY enter_ns" \
				"MPI_File_open|0|0|1
MPI_File_write_at||40|1
MPI_File_read_at_all|1|40|1
MPI_File_iread_at||20|1
MPI_File_close|2|0|1"
			expect_sql $db "SELECT name FROM io_file" kinds.out
			expect_sql $db "SELECT name, leave_ns > enter_ns FROM phase ORDER BY seq" "MPI_Pcontrol(5)|1
not recorded|1"
			expect_sql $db "SELECT phase, kind, count FROM wait_by_phase WHERE phase IS NOT NULL" "MPI_Pcontrol(5)|rma|4"
			expect_sql $db "SELECT call, sum(count) FROM call_profile WHERE call IN ('MPI_Pcontrol', 'MPI_Win_fence',
				'MPI_Barrier', 'MPI_File_read_at_all') GROUP BY call ORDER BY call" "MPI_File_read_at_all|1
MPI_Pcontrol|4
MPI_Win_fence|2"
		done
	done
done
finish
