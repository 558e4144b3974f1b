#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# A message of more than 2^31 bytes has its true size everywhere.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

free=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
[ "${free:-0}" -gt 6000000 ] || skip "needs 6 GB of free memory, there are ${free:-0} kB"
bytes=2151677952
for mpi in $MPIS; do
	check "$mpi: big ends well" shim_run $mpi 2 out-$mpi "$(mpi_program $mpi big)"
	# On a machine that is too busy to measure S in time, the protocol is not known.
	expect_sql out-$mpi "SELECT kind, bytes, protocol = 'rendezvous' OR NOT EXISTS
		(SELECT 1 FROM link WHERE tier = 'node' AND eager_max_bytes IS NOT NULL) FROM op" "send|$bytes|1
recv|$bytes|1"
	expect_sql out-$mpi "SELECT call, bytes FROM call_profile WHERE call IN ('MPI_Send', 'MPI_Recv')" \
		"MPI_Send|$bytes
MPI_Recv|$bytes"
	expect_sql out-$mpi "SELECT bytes FROM wait_profile" "$bytes
$bytes"
done
finish
