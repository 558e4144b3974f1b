#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=14400
# test-scale.sh with 100,000 communicators, a million requests, and millions of messages; 64 ranks.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	check "$mpi: 64 ranks" to under shim_run $mpi 64 many-$mpi "$(mpi_program $mpi doomed)" end 200
	expect "$mpi: 64 ranks have come to an end" "$(grep -c "done" under)" 64
	check_whole "$mpi: 64 ranks" many-$mpi 64
	for ranks in 1 2 4 8 16 32 64; do
		to under shim_run $mpi $ranks start-$mpi-$ranks "$(mpi_program $mpi doomed)" end 1
		echo "$mpi: $ranks ranks: MPI_Init took $(sql start-$mpi-$ranks/rank-000000.db \
			"SELECT value / 1000000 FROM run WHERE key = 'init_overhead_ns'") ms longer"
	done
done
TEST_SCALE=50
export TEST_SCALE
sh "$TEST_SRC/tests/mpi/test-scale.sh" || fail "at length"
finish
