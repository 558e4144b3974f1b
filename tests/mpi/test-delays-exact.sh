#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=300
# Exact waits are the delays that were put in and logged, and their causes are right.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	check "$mpi: the program ends well" shim_run $mpi 2 out-$mpi "$(mpi_program $mpi delays)" \
		log-$mpi "${DELAYS_CASES:-500}" 7
	check "$mpi: it is analyzed" "$TRYST" analyze out-$mpi
	sql out-$mpi/run.db "SELECT send_rank, s.tag, late_ns + order_ns, progress_ns, m.cause,
		m.protocol, s.cause_hint, s.post_enter_ns + z.value, r.post_enter_ns + z.value
		FROM match m JOIN op s ON s.op_key = m.send_key JOIN op r ON r.op_key = m.recv_key
		JOIN run z ON z.rank = 0 AND z.key = 'zero_monotonic_ns' WHERE s.tag >= 64" >rows-$mpi
	awk -v verbose="${KEEP:-0}" -f "$TEST_SRC/tests/mpi/delays-exact.awk" log-$mpi.0 log-$mpi.1 \
		rows-$mpi >figures-$mpi
	cat figures-$mpi
	expect "$mpi: waits and causes are as the log says" "$(grep ^verdict figures-$mpi)" "verdict ok"
done
finish
