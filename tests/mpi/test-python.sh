#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# mpi4py opens MPI by itself, long after the start: all its calls are seen.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

need_mpi4py
case $("$python" -c 'from mpi4py import MPI; print(MPI.get_vendor()[0])') in
"Open MPI") mpis_with openmpi ;;
MPICH) mpis_with mpich ;;
esac
for mpi in $MPIS; do
	check "$mpi: ring.py ends well bare" to bare mpi_run $mpi 2 "$python" "$TEST_SRC/tests/mpi/ring.py"
	check "$mpi: ring.py ends well" to under shim_run $mpi 2 out-$mpi "$python" "$TEST_SRC/tests/mpi/ring.py"
	expect "$mpi: its output" "$(cat under)" "$(cat bare)"
	expect "$mpi: its output" "$(cat under)" "python ring done"
	check_whole $mpi out-$mpi 2
	# Since version 4 mpi4py calls the large-count forms where MPI has them.
	expect_sql out-$mpi "SELECT count(*), sum(bytes) FROM op WHERE call IN ('MPI_Irecv', 'MPI_Irecv_c') AND bytes = 100
		AND complete_call = 'MPI_Wait'" "10|1000
10|1000"
	# mpi4py sends more of its own, with pickled objects.
	expect_sql out-$mpi "SELECT count(*) FROM op WHERE call IN ('MPI_Send', 'MPI_Send_c') AND bytes = 100 AND tag < 10" "10
10"
	check "$mpi: by tryst run, too" to run mpi_run $mpi 2 "$TRYST" run -o by-run-$mpi "$python" "$TEST_SRC/tests/mpi/ring.py"
	expect "$mpi: its output" "$(cat run)" "python ring done"
	check_whole "$mpi: by tryst run" by-run-$mpi 2
done
finish
