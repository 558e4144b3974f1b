#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What the program has set stays as it set it: traps and flags of floating point; and settings that ranks
# were given differently do not keep them apart.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	program=$(mpi_program $mpi guest)
	# What newer versions of UCX compute in MPI_Init divides by zero.
	for trapped in all overflow; do
		to bare mpi_run $mpi 2 "$program" $trapped
		bare_code=$?
		[ $bare_code -ne 0 ] || break
	done
	expect "$mpi: bare, $trapped trapped: exit code" $bare_code 0
	for calibrate in quick off; do
		to under shim_run $mpi 2 out-$mpi-$calibrate env TRYST_CALIBRATE=$calibrate "$program" $trapped
		expect "$mpi, calibrate $calibrate: exit code" $? $bare_code
		expect "$mpi, calibrate $calibrate: floating-point flags and traps" "$(sort under)" "$(sort bare)"
		check_whole "$mpi, calibrate $calibrate" out-$mpi-$calibrate 2
	done
	starts_several $mpi || continue
	to under mpi_run $mpi 1 env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=mixed-$mpi TRYST_CALIBRATE=quick "$program" $trapped : \
		-np 1 env LD_PRELOAD="$TRYST_LIB" TRYST_DIR=other-$mpi TRYST_CALIBRATE=off TRYST_LINKS=/no/such/file "$program" $trapped
	expect "$mpi: each rank with settings of its own: exit code" $? $bare_code
	check_whole "$mpi: each rank with settings of its own" mixed-$mpi 2
done
finish
