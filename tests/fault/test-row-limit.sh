#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# Writes that fail where the row limit is reached: each op is in a row or in the sums, once, and no more
# rows are kept than the limit allows.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/fault/faults.sh"

n=10000

# tried FAULT: the run under it, with $limit rows. Sets `hit`.
tried() {
	rm -rf out log
	check "$limit rows, $1: it ends well" to under env LD_PRELOAD="$faults_library:$TRYST_LIB" TRYST_DIR=out \
		FAULT="$1" FAULT_LOG="$PWD/log" TRYST_MAX_OPS=$limit TRYST_CALIBRATE=off TRYST_ROWS=later \
		UCX_MEM_EVENTS=n UCX_MEM_MMAP_HOOK_MODE=none "$program" end $n
	hit=
	[ -s log ] && hit=1
	# nothing can be recorded, which is said
	grep -q "nothing is recorded\|not recorded" under.err && return
	check "$limit rows, $1: collect" to collected "$TRYST" collect out
	expect "$limit rows, $1: rows and dropped ones" "$(sql out "SELECT (SELECT count(*) FROM op) + value FROM run
		WHERE key = 'dropped_ops'")" $((2 * n))
	expect "$limit rows, $1: in the sums" "$(sql out 'SELECT sum(count) FROM wait_profile')" $((2 * n))
	expect "$limit rows, $1: lost" "$(sql out "SELECT count(*) FROM run WHERE value > 0 AND
		key IN ('lost_bytes', 'missing_chunks', 'damaged_bytes')")" 0
	kept=$(sql out 'SELECT count(*) FROM op')
	check "$limit rows, $1: $kept rows" [ "$kept" -le $limit ]
}

for mpi in $MPIS; do :; done # MPICH starts alone in no time
program=$(mpi_program "$mpi" doomed)
for limit in 500 3000; do
	FAULTS_MAX=12
	for fault in write:EIO write:EIO:all; do
		sweep "$mpi, $limit rows" "$fault"
	done
done
finish
