#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=800
# Added instructions a call, counted by callgrind: the budget that no load on the machine moves.
. "${TEST_SRC:-.}/tests/lib.sh"

need_valgrind
need_optimised

# Percall's kinds one after the other in one process: valgrind takes seconds to start one.
cat >kinds.c <<'END'
#define main percall_main
#include "tests/mpi/percall.c"
#undef main
__attribute__((noinline)) static void next_kind(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	void (*volatile run[])(void) = { null, self, halo, comm_rank };

	MPI_Init(&argc, &argv);
	for (int k = 0; k < 4; k++) {
		for (long i = 0; i < atol(argv[k + 1]); i++)
			run[k]();
		next_kind();
	}
	MPI_Finalize();
	return 0;
}
END

# instructions MPI PRELOAD FILE [RECORD]: of a call of each kind, counted within percall's functions, a line each. FILE
# is empty if the program fails. Valgrind makes CPU time many times longer, and as many samples would be read in so few
# calls: there are none.
instructions() {
	rm -f cg.out*
	env ${2:+LD_PRELOAD=$2} TRYST_DIR="$PWD/i-$1" TRYST_CALIBRATE=off TRYST_ROWS=later TRYST_CLOCK=monotonic \
		TRYST_SAMPLE=off TRYST_RECORD="${4:-on}" TRYST_SITE_DIR="$PWD" \
		timeout 120 valgrind -q --tool=callgrind --callgrind-out-file=cg.out \
		--toggle-collect=null --toggle-collect=self --toggle-collect=halo --toggle-collect=comm_rank \
		--dump-before=next_kind "./kinds-$1" 56100 56100 11000 56100 >/dev/null 2>err || { : >"$3"; return; }
	for kind in 1:56100 2:56100 3:11000 4:56100; do
		sed -n 's/^summary: *\([0-9]*\).*/\1/p; s/^totals: *\([0-9]*\).*/\1/p' "cg.out.${kind%:*}" | head -n 1 |
			awk -v n="${kind#*:}" '{ print $1 >= n ? int($1 / n) : 999999 }'
	done >"$3"
}

for mpi in $MPIS; do
	# shellcheck disable=SC2046 # words
	check "$mpi: the kinds are compiled" $cc -std=gnu11 -g -O2 -I"$TEST_SRC" $(mpi_setting "$mpi" CFLAGS) kinds.c \
		-o "kinds-$mpi" $(mpi_setting "$mpi" LIBS)
	instructions "$mpi" '' bare
	if [ "$(wc -l <bare)" -lt 4 ] || grep -q 999999 bare; then
		echo "$mpi does not run under valgrind here: $(tail -n 1 err)"
		continue
	fi
	instructions "$mpi" "$TRYST_LIB" under
	instructions "$mpi" "$TRYST_LIB" site profile
	for kind in null:368 self:1740 halo:7000 rank:272; do
		most=${kind#*:}
		kind=${kind%:*}
		read -r bare <&3
		read -r under <&4 || under=999999
		read -r site <&5 || site=999999
		echo "$mpi $kind: $bare instructions bare, $under under tryst"
		check "$mpi $kind: at most $most instructions more" test "$under" -le $((bare + most))
		echo "$mpi $kind: $site in site mode"
		check "$mpi $kind: site mode takes at most half of that" test "$site" -le $((bare + most / 2))
		counted=1
	done 3<bare 4<under 5<site
done
expect "something was counted" "$counted" 1
finish
