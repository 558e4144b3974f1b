#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# Memory stays bounded: many communicators made and freed, many requests in flight, a long run with few
# rows; and many ranks. TEST_SCALE multiplies all of it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

scale=${TEST_SCALE:-1}

# grown MPI MODE N DIR: runs both ways; what tryst adds [KiB] in $added
grown() {
	to bare mpi_run "$1" 1 "$(mpi_program "$1" scale)" "$2" "$3"
	check "$1: $2 $3" to under shim_run "$1" 1 "$4" env TRYST_CALIBRATE=off TRYST_MAX_OPS="$max" \
		"$(mpi_program "$1" scale)" "$2" "$3"
	added=$(($(sed -n 's/.*: \(-*[0-9]*\) KiB$/\1/p' under) - $(sed -n 's/.*: \(-*[0-9]*\) KiB$/\1/p' bare)))
	echo "$1: $2 $3: $added KiB beyond the bare run's"
}

for mpi in $MPIS; do
	max=4000000
	n=$((2000 * scale))
	grown $mpi comms $n comms-$mpi
	check "$mpi: communicators made and freed: at most 16 MiB" test "$added" -le 16384
	expect_sql comms-$mpi "SELECT count(*) FROM communicator WHERE maker = 'MPI_Comm_dup'" $n
	n=$((20000 * scale))
	# MPICH has room for 262,144 requests
	while ! mpi_run $mpi 1 "$(mpi_program $mpi scale)" requests $n >/dev/null 2>&1 && [ $n -gt 20000 ]; do
		n=$((n / 2))
	done
	beyond=$((n > 100000 ? n - 100000 : 0))
	grown $mpi requests $n requests-$mpi
	check "$mpi: requests in flight: 64 MiB and 96 bytes each" test "$added" -le $((65536 + beyond * 96 / 1024))
	expect_sql requests-$mpi "SELECT count(*), sum(complete_leave_ns IS NULL) FROM op" "$((2 * n))|0"
	max=1000
	n=$((50000 * scale))
	grown $mpi messages $n messages-$mpi
	check "$mpi: few rows, many messages: at most 8 MiB" test "$added" -le 8192
	expect_sql messages-$mpi "SELECT sum(count) FROM wait_profile" $((2 * n))
	check "$mpi: and the files stay small" test "$(du -k messages-$mpi | tail -n 1 | cut -f 1)" -le 4096
done
finish
