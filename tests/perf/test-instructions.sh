#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Added instructions a call, counted by callgrind: the budget that no load on the machine moves.
. "${TEST_SRC:-.}/tests/lib.sh"

need_valgrind
need_optimised

# instructions MPI PRELOAD KIND [RECORD]: of a call, counted within percall's function of that kind. Valgrind makes CPU time
# many times longer, and as many samples would be read in so few calls: there are none.
instructions() {
	calls=56100
	function=$3
	[ "$3" = rank ] && function=comm_rank
	env ${2:+LD_PRELOAD=$2} TRYST_DIR="$PWD/i-$1-$3" TRYST_CALIBRATE=off TRYST_ROWS=later TRYST_CLOCK=monotonic \
		TRYST_SAMPLE=off TRYST_RECORD="${4:-on}" TRYST_SITE_DIR="$PWD" \
		timeout 100 valgrind -q --tool=callgrind --callgrind-out-file=cg.out --toggle-collect="$function" \
		"$(mpi_program "$1" percall)" "$3" $calls >/dev/null 2>err || return
	sed -n 's/^summary: *\([0-9]*\).*/\1/p; s/^totals: *\([0-9]*\).*/\1/p' cg.out | head -n 1 |
		awk -v n=$calls '$1 >= n { print int($1 / n) }'
}

for mpi in $MPIS; do
	for kind in null:368 self:1740 halo:7000 rank:272; do
		most=${kind#*:}
		kind=${kind%:*}
		bare=$(instructions "$mpi" '' "$kind")
		under=$(instructions "$mpi" "$TRYST_LIB" "$kind")
		if [ -z "$bare" ]; then
			echo "$mpi does not run under valgrind here: $(tail -n 1 err)"
			continue
		fi
		echo "$mpi $kind: $bare instructions bare, $under under tryst"
		check "$mpi $kind: at most $most instructions more" test "${under:-999999}" -le $((bare + most))
		site=$(instructions "$mpi" "$TRYST_LIB" "$kind" profile)
		echo "$mpi $kind: $site in site mode"
		check "$mpi $kind: site mode takes at most half of that" test "${site:-999999}" -le $((bare + most / 2))
		counted=1
	done
done
expect "something was counted" "$counted" 1
finish
