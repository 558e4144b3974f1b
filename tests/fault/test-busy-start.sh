#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=600
# Where other programs hold the processors, the calibration in MPI_Init still keeps to its budget.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

spinners=
for i in 1 2 3 4; do
	timeout 300 sh -c 'while :; do :; done' &
	spinners="$spinners $!"
done
for mpi in $MPIS; do
	for i in 1 2 3 4; do
		rm -rf out
		check "$mpi: run $i ends well" to stdout shim_run $mpi 2 out "$(mpi_program $mpi doomed)" end 2
		longest=$(sql out "SELECT value / 1000000 FROM run WHERE key = 'init_overhead_ns'" | sort -n | tail -n 1)
		say "$mpi: run $i: added to MPI_Init: $longest ms"
		# The budget is 1 s of measuring. MPICH never yields: each of the few messages besides may wait
		# for a turn of the scheduler. A measurement that lost its way took minutes.
		check "$mpi: run $i: no more than 30 s" [ "${longest:-99999}" -lt 30000 ]
	done
done
# shellcheck disable=SC2086
kill $spinners 2>/dev/null
finish
