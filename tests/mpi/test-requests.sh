#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Every op has exactly one row, with the right peer, tag, bytes and completing call; every call is counted.
# Numbers of ops have no gap: what makes a persistent request takes none.
. "${TEST_SRC:-.}/tests/lib.sh"

for mpi in $MPIS; do
	for n in 1 2 3; do
		mkdir j-$mpi-$n
		JOURNAL=$PWD/j-$mpi-$n
		export JOURNAL
		check "$mpi, $n ranks: requests ends well" shim_run $mpi $n out-$mpi-$n "$(mpi_program $mpi requests)"
		check_whole "$mpi, $n ranks" out-$mpi-$n $n
		check_journal "$mpi, $n ranks: rows are what the program did" out-$mpi-$n j-$mpi-$n
		expect_sql out-$mpi-$n/rank-000000.db "SELECT count(*) - max(op_id) FROM op" 0
	done
done
finish
