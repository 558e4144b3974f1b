#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# Programs of sessions, without MPI_Init, are recorded from the first communicator of all processes on.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
tried=
for mpi in $MPIS; do
	[ "$(mpi_run $mpi 1 "$(mpi_program $mpi sessions)")" = "done" ] || continue
	tried="$tried $mpi"
	out=out-$mpi
	shim_run $mpi 2 $out "$(mpi_program $mpi sessions)" >said 2>err
	expect "$mpi: the program ends well" "$? $(cat said err)" "0 done"
	check_whole "$mpi" $out 2
	for r in 0 1; do
		db=$out/rank-00000$r.db
		expect_sql $db "SELECT tag, kind, min(peer), max(peer), sum(bytes), count(*) FROM op GROUP BY tag, kind ORDER BY 1, 2" \
			"2|recv|$((1 - r))|$((1 - r))|40|10
2|send|$((1 - r))|$((1 - r))|40|10
3|recv|$r|$r|4|1
3|send|$r|$r|4|1
4|recv|$((1 - r))|$((1 - r))|4|1
4|send|$((1 - r))|$((1 - r))|4|1"
		expect_sql $db "SELECT call, sum(count) FROM call_profile WHERE call LIKE '%ession%' OR call LIKE '%from_group'
			GROUP BY call ORDER BY call" "MPI_Comm_create_from_group|2
MPI_Group_from_session_pset|2
MPI_Session_finalize|2
MPI_Session_init|2"
		expect_sql $db "SELECT count(*) FROM collective WHERE call = 'MPI_Barrier'" 1
		expect_sql $db "SELECT value FROM run WHERE key = 'clean_finalize'" 1
		expect_sql $db "SELECT count(*) FROM pending" 0
	done
	expect "$mpi: the communicator is the same on both" "$(sql $out "SELECT uid FROM communicator
		WHERE maker = 'MPI_Comm_create_from_group' AND size = 2" | sort -u | wc -l)" 1

	shim_run $mpi 2 alone-$mpi "$(mpi_program $mpi sessions)" alone >said 2>err
	# the launcher may put one rank's newline after the other's text
	expect "$mpi: a program without such a communicator ends as it does bare" \
		"$? $(tr -d '\n' <said)" "0 donedone"
	# Open MPI may print that another process has removed a file in shared memory first
	expect "$mpi: and that nothing is recorded is said once" "$(grep tryst err)" \
		"tryst: nothing is recorded: the program made no communicator of all processes from its sessions"

	shim_run $mpi 1 none-$mpi "$(mpi_program $mpi sessions)" none >said 2>err
	expect "$mpi: where there is nothing to record nothing is said" "$? $(cat said err)" "0 done"

	shim_run $mpi 1 one-$mpi "$(mpi_program $mpi sessions)" >said 2>err
	expect "$mpi: one process alone ends as it does bare" "$? $(cat said err)" "0 done"
	check_whole "$mpi, one process" one-$mpi 1
	expect_sql one-$mpi "SELECT count(*) FROM op WHERE tag BETWEEN 2 AND 4" 24
done
[ -n "$tried" ] || skip "no MPI library here has sessions"
finish
