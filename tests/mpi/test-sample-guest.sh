#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=300
# Programs with many threads, events of their own, children and exec() go on under samples as without.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

to doctor "$TRYST" doctor
grep -q '^ok  *samples ' doctor || skip "$(grep ' samples ' doctor)"
TRYST_CALIBRATE=off
export TRYST_CALIBRATE
for mpi in $MPIS; do
	program=$(mpi_program "$mpi" sample_guest)
	check "$mpi: it ends well bare" to bare mpi_run "$mpi" 1 "$program"
	check "$mpi: it ends well" to under shim_run "$mpi" 1 "out-$mpi" "$program"
	expect "$mpi: its output" "$(cat under)" "$(cat bare)"
	expect "$mpi: its own event has counted" "$(grep -c 'its event has counted' under)" 1
	expect "$mpi: nothing is said about it" "$(grep tryst under.err)" ""
	expect_sql "out-$mpi/rank-000000.db" "SELECT count(DISTINCT thread) > 0 FROM computation WHERE thread < 0" 1
	# on few processors, half of the memory that may be locked is not enough for all threads
	expect_sql "out-$mpi/rank-000000.db" "SELECT coalesce((SELECT value FROM run WHERE key = 'unlocked_threads'), 0) =
		coalesce((SELECT value FROM run WHERE key = 'unsampled_threads'), 0)" 1
done
finish
