#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=200
# Wrong order is a bottleneck where it costs most, and what is said to help is not the receiver's order alone.
. "${TEST_SRC:-.}/tests/lib.sh"

# The bottleneck of that function's MPI_Recv
bottleneck() {
	"$TRYST" report --no-replay --width 999 -n 100 -s bottlenecks "$1" | grep -A 2 " ms lost in MPI_Recv at $2 "
}

need sqlite3 sqlite3

for mpi in $MPIS; do
	shim_run $mpi 3 $mpi "$(mpi_program $mpi wrong_order)" 10
	check "$mpi: the report is made" sh -c '"$1" report --width 200 -s causes $2 >causes' sh "$TRYST" $mpi
	check "$mpi: wrong order is most of the waiting" sh -c 'grep -A 2 "^WAITS" causes | tail -n 1 | grep -q " wrong_order "'
	sqlite3 $mpi/run.db "UPDATE run SET value = 0 WHERE key = 'cpu_wait_ns'"	# three ranks may lack CPUs
	bottleneck $mpi same_sender >same
	check "$mpi: a sender's order is the sender's" grep -q "do: have the sender send this message first" same
	check "$mpi: it sent both: $(sed -n 2p same)" grep -q "why: wrong order, before .* MPI_Send at send_later wrong_order.c:\
.* another message lay there for [0-9.]* ms on average, .*; of the same sender in 100 % of that time" same
	bottleneck $mpi other_sender >other
	check "$mpi: of two senders what came can be worked on" grep -q "do: work on the other message meanwhile" other
	check "$mpi: they are two: $(sed -n 2p other)" grep -q "of the same sender in 0 % of that time" other
done
finish
