#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=600
# Nanoseconds a call, bare and under tryst in turns; medians of ROUNDS [5] rounds, ratio and difference; and
# how long the slowest call in a hundred held the program.
. "${TEST_SRC:-.}/tests/lib.sh"

# The median of the lines that begin with a word.
figure() {
	sed -n "s/^$1 //p" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

ROUNDS=${ROUNDS:-5}
printf '%-8s %-10s %12s %12s %8s %12s %12s %12s\n' MPI calls 'bare ns' 'tryst ns' ratio 'added ns' \
	'bare p99 ns' 'tryst p99 ns'
for mpi in $MPIS; do
	for kind in null:1:1000000 self:1:300000 pingpong:2:300000 window:2:8000 rank:1:2000000; do
		what=${kind%%:*}
		rest=${kind#*:}
		ranks=${rest%:*}
		n=${rest#*:}
		: >bare
		: >under
		for i in $(seq 1 "$ROUNDS"); do
			mpi_run $mpi $ranks "$(mpi_program $mpi percall)" "$what" "$n" 10000 >>bare
			shim_run $mpi $ranks "out-$mpi-$what-$i" env TRYST_ROWS=later "$(mpi_program $mpi percall)" "$what" "$n" 10000 \
				>>under
			rm -rf "out-$mpi-$what-$i"
		done
		check "$mpi $what: all runs ended" test "$(cat bare under | wc -l)" -eq $((4 * ROUNDS)) >ok || cat ok
		awk -v m="$mpi" -v k="$what" -v b="$(figure ns <bare)" -v u="$(figure ns <under)" \
			-v bh="$(figure held <bare)" -v uh="$(figure held <under)" 'BEGIN {
			printf "%-8s %-10s %12.1f %12.1f %8.3f %12.1f %12.0f %12.0f\n", m, k, b, u, u / b, u - b, bh, uh }'
	done
done
finish
