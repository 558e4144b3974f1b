#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=600
# Nanoseconds that a round of messages takes longer through libtryst.so than past it, in turns within one launch;
# medians of ROUNDS [5] launches, and of as many without libtryst.so, where it should be nothing.
. "${TEST_SRC:-.}/tests/lib.sh"

figure() {
	sed -n "s/^$1 //p" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

ROUNDS=${ROUNDS:-5}
printf '%-8s %-10s %12s %12s %8s %14s\n' MPI round 'library ns' 'added ns' '%' 'without it ns'
for mpi in $MPIS; do
	for kind in pingpong exchange halo; do
		: >bare
		: >under
		for i in $(seq 1 "$ROUNDS"); do
			mpi_run $mpi 2 "$(mpi_program $mpi turns)" $kind 200 500 >>bare
			shim_run $mpi 2 "out-$mpi-$kind-$i" env TRYST_ROWS=later "$(mpi_program $mpi turns)" $kind 200 500 >>under
			rm -rf "out-$mpi-$kind-$i"
		done
		check "$mpi $kind: all runs ended" test "$(cat bare under | wc -l)" -eq $((4 * ROUNDS)) >ok || cat ok
		awk -v m="$mpi" -v k=$kind -v l="$(figure library <under)" -v a="$(figure added <under)" \
			-v w="$(figure added <bare)" 'BEGIN {
			printf "%-8s %-10s %12.1f %12.1f %8.2f %14.1f\n", m, k, l, a, 100 * a / l, w }'
	done
done
finish
