#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=200
# Advice names the rank and the place that waits come from, also through ranks that waited themselves.
# Ranks sleep instead of computing, since they have no processor each.
. "${TEST_SRC:-.}/tests/lib.sh"

# A column of the bottleneck of this call that cost most, of messages of at least $3 bytes and at most $4.
bottleneck() {
	"$TRYST" report --no-replay -f json -s bottlenecks -n 100 "$1" | python3 -c "
import json, sys
for row in json.load(sys.stdin)['bottlenecks']:
    if row['call'] == '$2' and $3 <= row['most_bytes'] <= $4:
        print(row['$5'])
        break"
}

# The column of causes that says what helps.
helps() {
	"$TRYST" report --no-replay -f json -s causes "$1" | python3 -c "
import json, sys
for row in json.load(sys.stdin)['causes']:
    if row['protocol'] == '$2' and row['cause'] == '$3':
        print(row['what_helps'])"
}

# Did each rank work as long as it meant to, but for half a millisecond each time? Else it is late where it should not be.
as_long_as_meant() {
	awk '$1 == "added" && $2 > most { most = $2 } END { print "the machine added " most " us"; exit !(most < 50000) }' said
}

need python3 python3
need sqlite3 sqlite3
mpis_with openmpi	# three ranks on two processors: who waits has to give way
for mpi in $MPIS; do
	for _ in 1 2 3 4; do
		rm -rf $mpi
		check "$mpi: the program ends well" to said shim_run $mpi 3 $mpi "$(mpi_program $mpi late_root)" 50
		"$TRYST" report -v --no-replay $mpi >report
		sqlite3 $mpi/run.db "UPDATE run SET value = 0 WHERE key = 'cpu_wait_ns'"	# ranks may lack CPUs
		as_long_as_meant && [ "$(bottleneck $mpi MPI_Send 60000 100000 protocol)" = rendezvous ] && break
	done
	as_long_as_meant || skip "$mpi: this machine is too busy: ranks work longer than they mean to"
	[ "$(bottleneck $mpi MPI_Send 60000 100000 protocol)" = rendezvous ] || skip "$mpi: this machine is too busy to measure S"

	for call in MPI_Send MPI_Recv; do
		remedy=$(bottleneck $mpi $call 60000 100000 remedy)
		[ -n "$remedy" ] || continue
		[ $call = MPI_Send ] || [ "$(bottleneck $mpi $call 60000 100000 wait_ns)" -gt 20000000 ] || continue
		check "$mpi: $call waits for the work of the last rank: $remedy" sh -c 'echo "$1" | grep -q \
			"^balance the work: rank 2 .*is outside MPI between receive_left late_root.c:[0-9]* and send_right late_root"' \
			sh "$remedy"
	done
	check "$mpi: half of it through a rank that waits itself" sh -c 'echo "$1" | grep -q \
		", for [3-6][0-9] % of it through rank 1, which waited itself"' sh \
		"$(bottleneck $mpi MPI_Send 60000 100000 remedy)"
	expect "$mpi: both tables have one answer" "$(helps $mpi rendezvous late_receiver)" "balance the work"

	# Small messages of a halo, whose neighbours wait for the work of rank 1.
	remedy=$(bottleneck $mpi MPI_Irecv 512 1023 remedy)
	check "$mpi: who works longer is late with small messages, too: $remedy" sh -c 'echo "$1" | grep -q \
		"^balance the work: rank 1 .*is outside MPI between finish_halo late_root.c:[0-9]* and begin_halo late_root.c:"' \
		sh "$remedy"
done
finish
