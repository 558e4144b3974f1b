#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=240
# Hosts of two kinds: each kind of pair has a link of its own, by which its messages are predicted.
. "${TEST_SRC:-.}/tests/lib.sh"
need ip iproute2
need mount mount
hosts="$TEST_SRC/tests/net/hosts.sh"
need sqlite3 sqlite3
why=$(sh "$hosts" -m none true) || skip "$why"
sed 's/^\(model name[^:]*:\).*/\1 Another Processor/; t; s/^\(CPU implementer[^:]*:\).*/\1 0x99/' /proc/cpuinfo >other-cpuinfo
# who yields beside other programs is not let in again for milliseconds
export OMPI_MCA_mpi_yield_when_idle=0
cmp -s /proc/cpuinfo other-cpuinfo && skip "this kernel does not tell the processor's name"

# Hosts 1 and 3 are alike, host 2 is another one. Each rank has messages with those beside it.
kinds_run() {
	rm -rf kinds-$1
	sh "$hosts" -m $1 -n $nhosts -l 60 sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null
		[ "$(hostname)" != host2 ] || mount --bind "$1/other-cpuinfo" /proc/cpuinfo || exit 9
		TRYST_DIR=$1/$2 TRYST_CACHE=off LD_PRELOAD=$3 exec "$4" "$1/log"' \
		sh "$PWD" kinds-$1 "$TRYST_LIB" "$(mpi_program $1 chain)"
}

# The links of rank $2 over the network that predict: the peer that their rows have.
links() {
	sql $1/rank-00000$2.db "SELECT coalesce(peer, 'alike') FROM link WHERE tier = 'network' AND one_way_ns > 0
		ORDER BY peer"
}

# A rank whose links were all measured: predicted by them, told in the report. Others learn from the messages.
look_at() {
	expect_sql kinds-$1/rank-00000$2.db "SELECT count(*) > 0, total(predicted_ns IS NULL) FROM op
		WHERE peer IS NOT NULL" "1|0.0"
	[ "$(links kinds-$1 $2)" = alike ] && return
	to report-$1 "$TRYST" report -s links kinds-$1
	check "$1: the report tells the links apart" \
		grep -q "network (ranks [0-9,]* to hosts like rank 1's, measured)" report-$1
}

# unmeasured MPI RANK WANTED: a busy machine leaves links out, but never makes others
busy=
unmeasured() {
	busy="$busy $1"
	! links "kinds-$1" "$2" | grep -qvx "$3" || fail "$1: rank $2 has links of other kinds"
}

for mpi in $MPIS; do
	nhosts=3 wanted_0="alike
1"
	# where no other host is of its kind its link to the first other one is the tier's
	wanted_1=alike
	# MPICH 4.0.2's MPI_Finalize takes 20 s and more over TCP with three hosts, with or without us
	[ $mpi != mpich ] || nhosts=2 wanted_0=alike
	seen_0='' seen_1='' init_ns=
	# where other programs have the processors two ranks are never in step, and each step of Init waits its turn
	for _ in 1 2 3 4 5 6 7 8; do
		before=$(steal)
		check "$mpi: a run across hosts of two kinds" kinds_run $mpi
		[ "$(links kinds-$mpi 0)" != "$wanted_0" ] || { seen_0=1; look_at $mpi 0; }
		[ "$(links kinds-$mpi 1)" != "$wanted_1" ] || { seen_1=1; look_at $mpi 1; }
		for file in "kinds-$mpi"/rank-*.db; do
			expect_sql "$file" "SELECT count(*) FROM peer_row WHERE tier NOT IN (SELECT id FROM tier_name)" 0
			expect_sql "$file" "SELECT value = rank % 2 FROM run WHERE key = 'host_kind'" 1
		done
		# what the host took from this machine is no time of Init
		init_ns=$({ echo "$init_ns"; sql kinds-$mpi/rank-000000.db "SELECT
			CAST(value - 1e9 * $(lacking "$before") AS INTEGER) FROM run
			WHERE key = 'init_overhead_ns'"; } | sort -n | grep . | head -n 1)
		[ -z "$seen_0" ] || [ -z "$seen_1" ] || [ "$init_ns" -ge 2000000000 ] || break
	done
	[ -n "$seen_0" ] || unmeasured $mpi 0 "$wanted_0"
	[ -n "$seen_1" ] || unmeasured $mpi 1 "$wanted_1"
	check "$mpi: what Init took stays within its budget: ${init_ns:-none} ns" [ "${init_ns:-2000000000}" -lt 2000000000 ]
done
[ -z "$busy" ] || [ $lib_failed -gt 0 ] || skip "this machine is too busy: two ranks were never in step with$busy"
finish
