#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# Threads that share requests, make and free communicators and types, come and go: nothing is lost.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	check "$mpi: hammer ends well" to under shim_run $mpi 2 out-$mpi "$(mpi_program $mpi hammer)" 4 2 1500
	ops=$(sed -n 's/^ops //p' under)
	check_whole $mpi out-$mpi 2
	expect_sql out-$mpi "SELECT count(*), count(DISTINCT op_id), sum(complete_leave_ns IS NULL)
		FROM op" "$ops|$ops|0
$ops|$ops|0"
	expect_sql out-$mpi "SELECT count(*) FROM pending" "0
0"
	expect_sql out-$mpi "SELECT sum(count) FROM call_profile WHERE call IN ('MPI_Isend', 'MPI_Irecv')" "24008
24008"
	expect_sql out-$mpi "SELECT count(*) FROM op WHERE peer <> 1 - rank OR peer IS NULL" "0
0"
	expect_sql out-$mpi "SELECT count(*), count(DISTINCT thread) FROM collective WHERE call = 'MPI_Allreduce'" "8|8
8|8"
done
finish
