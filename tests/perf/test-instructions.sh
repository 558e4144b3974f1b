#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Added instructions a call, counted by callgrind: the budget that no load on the machine moves.
. "${TEST_SRC:-.}/tests/lib.sh"

need_valgrind
need_optimised

# instructions MPI PRELOAD KIND N: of a whole run
instructions() {
	env ${2:+LD_PRELOAD=$2} TRYST_DIR="$PWD/i-$1-$3-$4" TRYST_CALIBRATE=off TRYST_ROWS=later TRYST_CLOCK=monotonic \
		timeout 100 valgrind -q --tool=callgrind --callgrind-out-file=cg.out "$(mpi_program "$1" percall)" "$3" "$4" \
		>/dev/null 2>err || return
	sed -n 's/^summary: *\([0-9]*\).*/\1/p; s/^totals: *\([0-9]*\).*/\1/p' cg.out | head -n 1
}

# A call's cost is the slope between a short and a long run.
slope() {
	short=$(instructions "$1" "$2" "$3" 1100)
	long=$(instructions "$1" "$2" "$3" 56100)
	[ -n "$short" ] && [ -n "$long" ] && echo $(((long - short) / 55000))
}

for mpi in $MPIS; do
	for kind in null:368 self:2130 rank:272; do
		most=${kind#*:}
		kind=${kind%:*}
		bare=$(slope "$mpi" '' "$kind")
		under=$(slope "$mpi" "$TRYST_LIB" "$kind")
		if [ -z "$bare" ]; then
			echo "$mpi does not run under valgrind here: $(tail -n 1 err)"
			continue
		fi
		echo "$mpi $kind: $bare instructions bare, $under under tryst"
		check "$mpi $kind: at most $most instructions more" test "${under:-999999}" -le $((bare + most))
		counted=1
	done
done
expect "something was counted" "$counted" 1
finish
