#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=300
# Two hosts with clocks of their own (time name spaces): link parameters measured in MPI_Init, clocks
# at both ends, exact times across them.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/net/net.sh"
net_needs -c 0,500

# net_run MPI DIR OPTION... -- CMD...: under the library; CLOCK_MONOTONIC is the clock of all records.
net_run() {
	mpi=$1 out=$2
	shift 2
	net_options "$@"
	shift $taken
	# shellcheck disable=SC2086
	sh "$hosts" -l 100 -m "$mpi" $options sh -c '{ echo -20 >/proc/self/autogroup; } 2>/dev/null
		exec "$@"' sh env LD_PRELOAD="$TRYST_LIB" TRYST_DIR="$PWD/$out" TRYST_CLOCK=monotonic \
		TRYST_CACHE=off DELAYS_CLOCK=realtime "$@"
}

for mpi in $MPIS; do
	# where other programs have the processors, two ranks are never in step, or too late at the end
	for _ in 1 2 3 4; do
		rm -rf two-$mpi
		check "$mpi: two hosts end well" net_run $mpi two-$mpi -c 0,500 -d 100 -- \
			"$(mpi_program $mpi delays)" "$PWD/log-$mpi" 100
		[ "$(sql two-$mpi/rank-000001.db "SELECT count(*) FROM clock")" = 2 ] &&
			[ -n "$(sql two-$mpi/rank-000000.db "SELECT one_way_ns FROM link
				WHERE tier = 'network' AND one_way_ns > 0")" ] && break
	done
	expect_sql two-$mpi "SELECT value FROM run WHERE key = 'host'" "host1
host2"
	expect "$mpi: the clocks are 500 s apart" "$(sqlite3 two-$mpi/rank-000001.db "
		ATTACH 'two-$mpi/rank-000000.db' AS zero; SELECT count(*) FROM main.run a JOIN zero.run b
		USING (key) WHERE key = 'zero_monotonic_ns'
		AND a.value - b.value BETWEEN 499000000000 AND 501000000000")" 1
	expect "$mpi: the other host compares its clock with the first" \
		"$(sql two-$mpi/rank-000001.db "SELECT DISTINCT reference FROM clock")" 0
	expect_sql two-$mpi/rank-000000.db "SELECT count(*) FROM peer_row p JOIN tier_name n
		ON n.id = p.tier WHERE peer = 1 AND name = 'network'" 1
	if [ -n "$(sql two-$mpi/rank-000000.db "SELECT one_way_ns FROM link WHERE tier = 'network'
			AND one_way_ns > 0")" ]; then
		expect_sql two-$mpi/rank-000000.db "SELECT one_way_ns > 100000 AND one_way_ns < 400000
			FROM link WHERE tier = 'network'" 1
	else
		echo "this machine is too busy to measure the link in MPI_Init"
	fi
	check "$mpi: their messages are matched" "$TRYST" analyze two-$mpi
	expect_sql two-$mpi/run.db "SELECT value FROM match_info WHERE key = 'violations'" 0
	expect_sql two-$mpi/run.db "SELECT max(error_ns) > 0 FROM clock" 1
	sql two-$mpi/run.db "SELECT send_rank, tag, late_ns, send_enter_ns, recv_enter_ns
		FROM match JOIN op ON op_key = send_key WHERE tag >= 64" >rows-$mpi
	awk -v error="$(sql two-$mpi/run.db 'SELECT max(error_ns) FROM clock')" \
		-v zero="$(sql two-$mpi/rank-000000.db \
			"SELECT value FROM run WHERE key = 'zero_realtime_ns'")" \
		-f "$TEST_SRC/tests/mpi/clocks-judge.awk" log-$mpi.0 log-$mpi.1 rows-$mpi >figures
	sql two-$mpi/run.db "SELECT rank, at_ns, offset_ns, error_ns FROM clock"
	cat figures
	expect "$mpi: times are as the log says" "$(tail -n 1 figures)" "verdict ok"
done
finish
