#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=400
# Ranks whose clocks are hours apart and drift: measured at both ends of the run, or told by messages,
# one time in run.db, within the error that is stated.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# Each rank but 0 is a host with a clock of its own.
cat >skewed.sh <<'END'
case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in
1) export TRYST_CLOCK_ERROR=7200.25:100 ;;
2) export TRYST_CLOCK_ERROR=-3600:-100 ;;
3) export TRYST_CLOCK_ERROR=86400:40 ;;
4) export TRYST_CLOCK_ERROR=0.001:-70 ;;
esac
exec "$@"
END

# Rows of table clock that are farther from the truth than they state. The truth: what the machine's
# own clock showed, from the error that was put in; the zeros were read to 100 ns, or to a few us where
# the processor was taken away meanwhile.
wrong_rows() {
	sql "$1" "WITH e(rank, ns, rate) AS (VALUES (0, 0, 0), (1, 7200.25e9, 100e-6),
			(2, -3600e9, -100e-6), (3, 86400e9, 40e-6), (4, 1e6, -70e-6)),
		z(rank, at) AS (SELECT rank, CAST(value AS INTEGER) FROM run
			WHERE key = 'zero_monotonic_ns')
		SELECT count(*) FROM clock c JOIN e USING (rank) JOIN z USING (rank) JOIN z z0 ON z0.rank = 0
		WHERE abs((z.at + at_ns - e.ns) / (1 + e.rate) - z0.at - at_ns - offset_ns)
			> error_ns + 3000"
}

# Where other programs have the processors, ranks come to MPI_Finalize too late for each other.
both_ends="1|0|2
2|0|2
3|2|2
4|0|2"
for mpi in $MPIS; do
	out=five-$mpi
	for _ in 1 2 3; do
		rm -rf $out
		check "$mpi: five hosts end well" shim_run $mpi 5 $out sh skewed.sh \
			"$(mpi_program $mpi pingpong)" 1
		rows=$(sql $out 'SELECT rank, reference, count(*) FROM clock GROUP BY rank')
		[ "$rows" = "$both_ends" ] && break
	done
	[ "$rows" = "$both_ends" ] ||
		echo "this machine is too busy for five ranks to be in MPI_Finalize at once"
	expect "$mpi: each host but the first compares its clock with its parent's" \
		"$(echo "$rows" | cut -d "|" -f 1,2)" "$(echo "$both_ends" | cut -d "|" -f 1,2)"
	expect_sql $out "SELECT count(*) FROM run WHERE key IN ('finalize_overhead_ns', 'rows_ns') AND value > 0" "2
2
2
2
2"
	check "$mpi: they are merged" "$TRYST" merge $out
	expect_sql $out/run.db "SELECT count(DISTINCT rank), max(reference) FROM clock" "5|0"
	expect "$mpi: no row is farther off than it states" "$(wrong_rows $out/run.db)" 0

	for _ in 1 2 3 4 5 6; do
		rm -rf two-$mpi
		check "$mpi: two hosts end well" shim_run $mpi 2 two-$mpi sh skewed.sh \
			"$(mpi_program $mpi delays)" log-$mpi 150
		[ "$(sql two-$mpi/rank-000001.db 'SELECT count(*) FROM clock')" = 2 ] && break
	done
	expect_sql two-$mpi/rank-000001.db "SELECT count(*) FROM clock" 2
	check "$mpi: their messages are matched" "$TRYST" analyze two-$mpi
	expect "$mpi: no row of them is farther off either" "$(wrong_rows two-$mpi/run.db)" 0
	expect_sql two-$mpi/run.db "SELECT value > 0 FROM match_info WHERE key = 'violations_before'" 1
	sql two-$mpi/run.db "SELECT send_rank, tag, late_ns, send_enter_ns, recv_enter_ns
		FROM match JOIN op ON op_key = send_key WHERE tag >= 64" >rows-$mpi
	awk -v error="$(sql two-$mpi/run.db 'SELECT max(error_ns) FROM clock')" \
		-v zero="$(sql two-$mpi/rank-000000.db \
			"SELECT value FROM run WHERE key = 'zero_monotonic_ns'")" \
		-f "$TEST_SRC/tests/mpi/clocks-judge.awk" log-$mpi.0 log-$mpi.1 rows-$mpi >figures
	cat figures
	expect "$mpi: late times are as the log says" "$(tail -n 1 figures)" "verdict ok"

	expect "$mpi: times of ops are on the common clock" "$(sql two-$mpi/run.db "SELECT count(*)
		FROM match JOIN op ON op_key = send_key WHERE abs(post_enter_ns - send_enter_ns) > 1")" 0

	# without a communicator of our own the messages alone tell
	TRYST_CALIBRATE=off
	export TRYST_CALIBRATE
	check "$mpi: nothing is measured with TRYST_CALIBRATE=off" shim_run $mpi 2 off-$mpi \
		sh skewed.sh "$(mpi_program $mpi pingpong)" 5
	unset TRYST_CALIBRATE
	check "$mpi: it is merged" "$TRYST" merge off-$mpi
	expect_sql off-$mpi/run.db "SELECT rank, error_ns IS NULL FROM clock GROUP BY rank" "0|0
1|0"
	expect "$mpi: what messages tell is no farther off than stated" "$(wrong_rows off-$mpi/run.db)" 0
done
finish
