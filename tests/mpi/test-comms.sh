#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Each communicator has one identity on all its members and none other has it; peers are world ranks.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	for n in 1 2 4; do
		JOURNAL=$PWD/j-$mpi-$n
		export JOURNAL
		mkdir "$JOURNAL"
		check "$mpi, $n ranks: comms ends well" shim_run $mpi $n out-$mpi-$n "$(mpi_program $mpi comms)"
		check_whole "$mpi, $n ranks" out-$mpi-$n $n
		check_journal "$mpi, $n ranks: peers are ranks of MPI_COMM_WORLD" out-$mpi-$n "$JOURNAL"
		for r in $(seq 0 $((n - 1))); do
			rank=$(printf %06d "$r")
			sort "$JOURNAL/comms-$rank.txt" >wanted
			sql out-$mpi-$n/rank-$rank.db "SELECT name, maker, size, my_rank FROM communicator
				WHERE comm > 2 AND name IS NOT NULL" | sort >got
			expect "$mpi, $n ranks: rank $r's communicators: maker, size, own rank" \
				"$(diff got wanted | head -n 10)" ""
		done
		sql out-$mpi-$n "SELECT name, uid FROM communicator WHERE comm = 1 OR (comm > 2 AND name IS NOT NULL)" |
			sed 's/^MPI_COMM_WORLD//' | sort | uniq -c >uids
		cut -d'|' -f1 uids | sed 's/^ *[0-9]* //' | sort | uniq -d >several
		expect "$mpi, $n ranks: one identity on all members" "$(cat several)" ""
		cut -d'|' -f2 uids | sort | uniq -d >shared
		expect "$mpi, $n ranks: no two share an identity" "$(cat shared)" ""
	done
done
finish
