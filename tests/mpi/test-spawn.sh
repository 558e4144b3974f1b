#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# A program that spawns ends as it does bare; each world has a directory, and both sides name the other.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# MPICH 4 of Debian cannot spawn. MPICH 5 can, but its children get the launcher's environment, without the library.
tried=
for mpi in $MPIS; do
	mpi_run $mpi 1 "$(mpi_program $mpi spawn)" >bare 2>&1 || continue
	tried="$tried $mpi"
	out=out-$mpi
	check "$mpi: spawn ends well" shim_run $mpi 1 $out "$(mpi_program $mpi spawn)"
	if [ $mpi = mpich ]; then
		check_whole "$mpi" $out 1
		expect_sql $out/rank-000000.db "SELECT kind, peer, tag, bytes FROM op" "send|0|1|400
recv|0|2|400
send|1|1|400
recv|1|2|400"
		continue
	fi
	check_whole "$mpi" $out 3
	expect_sql $out/rank-000000.db "SELECT kind, peer, peer_world, tag, bytes FROM op" "send|0|1|1|400
recv|0|1|2|400
send|1|1|1|400
recv|1|1|2|400"
	expect_sql $out/rank-000000.db "SELECT remote_size, peer_world FROM communicator WHERE maker = 'MPI_Comm_spawn'" "2|1"
	for r in 0 1; do
		expect_sql $out/world-1/rank-00000$r.db "SELECT kind, peer, peer_world, tag, bytes FROM op" "recv|0|0|1|400
send|0|0|2|400"
		expect_sql $out/world-1/rank-00000$r.db "SELECT value FROM run WHERE key = 'world'" 1
	done
	expect "$mpi: both sides know the communicator and the run by the same number" \
		"$(sqlite3 $out/world-1/rank-000001.db "SELECT uid FROM communicator WHERE peer_world = 0;
			SELECT value FROM run WHERE key = 'run_id'")" \
		"$(sqlite3 $out/rank-000000.db "SELECT uid FROM communicator WHERE peer_world = 1;
			SELECT value FROM run WHERE key = 'run_id'")"
	expect_sql $out "SELECT count(*) FROM pending" "0
0
0"
	check "$mpi: the report of the run ends well" to report "$TRYST" report -v $out
	check "$mpi: and names the other world" grep -q "world-1" report
	check "$mpi: messages with it have no prediction, for that reason" sh -c 'tr -s " \n" " " <report |
		grep -q "have no prediction, since links to processes of other worlds are not measured"'
	check "$mpi: whose own report ends well" to report "$TRYST" report -v $out/world-1
	expect "$mpi: tryst sql answers there" "$("$TRYST" sql $out/world-1 --format csv "SELECT count(*) AS n FROM op" 2>&1)" "n
4"

	# From two ranks, one of which spawns again by itself; through tryst run, with its own settings.
	out=two-$mpi
	mpi_run $mpi 2 "$(mpi_program $mpi spawn)" >bare 2>&1 || {
		say "$mpi: two programs at once cannot be spawned"
		continue
	}
	mpi_run $mpi 2 "$TRYST" run -o $out --max-ops 12345 "$(mpi_program $mpi spawn)" >said 2>&1
	expect "$mpi: under tryst run, two ranks" "$? $(cat said)" "0 $(cat bare)"
	check_whole "$mpi, two ranks" $out 6
	expect "$mpi: three worlds" "$(cd $out && echo world-*)" "world-1 world-2"
	for r in 0 1; do
		expect_sql $out/rank-00000$r.db "SELECT DISTINCT peer_world FROM op WHERE tag < 10" 1
		expect_sql $out/world-1/rank-00000$r.db "SELECT peer, peer_world, asked_tag FROM op WHERE kind = 'recv'" "0|0|
1|0|"
		expect_sql $out/world-2/rank-00000$r.db "SELECT kind, peer, peer_world, tag FROM op" "recv|1|0|11
send|1|0|12"
		expect_sql $out/world-2/rank-00000$r.db "SELECT value FROM run WHERE key = 'TRYST_MAX_OPS'" 12345
	done
	check "$mpi: both sides are merged" to merged sh -c '"$0" merge "$1" && "$0" merge "$1/world-1"' "$TRYST" $out
	expect "$mpi: each message between them is put in a row" "$(cd $out &&
		sqlite3 run.db <"$TEST_SRC/contrib/worlds.sql" | cut -d '|' -f 1-4 | sort)" "0|spawned 0|1|400
0|spawned 1|1|400
1|spawned 0|1|400
1|spawned 1|1|400
spawned 0|0|2|400
spawned 0|1|2|400
spawned 1|0|2|400
spawned 1|1|2|400"
	expect_sql $out/rank-000001.db "SELECT DISTINCT peer_world FROM op WHERE tag > 10" 2
	expect_sql $out/rank-000001.db "SELECT peer, peer_world, sent_count, recv_count FROM comm_matrix" "0|1|1|1
0|2|1|1
1|1|1|1
1|2|1|1"
done
[ -n "$tried" ] || skip "no MPI library here can spawn"
finish
