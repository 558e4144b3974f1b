#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# Ranks of one world that accept and connect know what comes of it by the same number: messages are matched.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

tried=
for mpi in $MPIS; do
	# not every MPI library connects ranks of one world
	[ "$(mpi_run $mpi 2 timeout 20 "$(mpi_program $mpi connect)")" = "done" ] || continue
	tried="$tried $mpi"
	out=out-$mpi
	check "$mpi: connect ends well" shim_run $mpi 2 $out "$(mpi_program $mpi connect)"
	check_whole "$mpi" $out 2
	expect "$mpi: each communicator has one number" "$(sql $out "SELECT uid FROM communicator WHERE
		maker IN ('MPI_Comm_accept', 'MPI_Comm_connect', 'MPI_Intercomm_merge')" |
		sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" "2 2 2 2 "
	check "$mpi: it is analyzed" "$TRYST" analyze $out
	expect_sql $out/run.db "SELECT kind, matched, sum(ops) FROM match_summary GROUP BY 1, 2" "recv|1|6
send|1|6"
done
[ -n "$tried" ] || skip "no MPI library here connects ranks of one world"
finish
