# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh and its readers share variables with this
# What the scripts that compare counts share; read behind tests/lib.sh. Builds count-shim.c for each
# MPI library, from the names that `nm -D` shows there.
[ "$(uname -m)" = x86_64 ] || skip "the counting library is for x86-64"
need sqlite3 sqlite3
need nm binutils

for mpi in $MPIS; do
	library=$(mpi_library "$mpi")
	mkdir "$mpi"
	nm -D --defined-only "$library" | $awk '
		$2 ~ /[TW]/ && $3 ~ /^P?MPIX?_([A-Z][a-z]|T_)/ && $3 !~ /_([fc]2[cf]|f082c|c2f08)$/ {
			printf "COUNT(%d, %s)\n", n++, $3
		}' >"$mpi/count-names.h"
	# The library calls some functions for itself by the name MPI_X. Behind tryst such a call looks like the program's.
	# (Its Fortran functions call MPI_File_X so.)
	readelf -rW "$library" | sed -n 's/.*_\(JUMP_SLOT*\|GLOB_DAT\) .* \(MPIX*_[A-Za-z_]*\)\( .*\)*$/\2/p' |
		grep -v '^MPI_File_' | sort -u >"$mpi/called-inside"
	$cc -std=gnu11 -D_GNU_SOURCE -O2 -shared -fPIC -I"$mpi" "$TEST_SRC/tests/mpi/count-shim.c" \
		-o "$mpi/count.so" -ldl || exit 1
done

# Run on so many ranks; compare the sums over all ranks.
# counts_equal WHAT MPI before|behind RANKS COMMAND...
counts_equal() {
	what="$1, counted $3 us"
	mpi=$2
	case $3 in
	before) preload="$PWD/$mpi/count.so:$TRYST_LIB" ;;
	behind) preload="$TRYST_LIB:$PWD/$mpi/count.so" ;;
	esac
	ranks=$4
	shift 4
	rm -rf rows counted
	mkdir counted
	mpi_run "$mpi" "$ranks" env LD_PRELOAD="$preload" TRYST_DIR="$PWD/rows" \
		COUNT_DIR="$PWD/counted" TRYST_MESSAGES=normal "$@" >out 2>err ||
		fail "$what: the program failed: $(tail -n 5 err)"
	cat counted/* | $awk '{ sum[$1] += $2 } END { for (f in sum) print f, sum[f] }' | sort >wanted
	sql rows "SELECT call, sum(count) FROM call_profile GROUP BY call" |
		$awk -F'|' '{ sum[$1] += $2 } END { for (f in sum) print f, sum[f] }' | sort >got
	if [ "$preload" = "$TRYST_LIB:$PWD/$mpi/count.so" ]; then
		for counted in got wanted; do
			$awk 'NR == FNR { inside[$1] = 1; next } !($1 in inside)' "$mpi/called-inside" $counted >shown
			mv shown $counted
		done
	fi
	expect "$what: $(wc -l <wanted) functions, $($awk '{ n += $2 } END { print n }' wanted) calls" \
		"$(diff got wanted)" ""
	expect "$what: MPI was called at all" "$([ "$(wc -l <wanted)" -ge 5 ] && echo yes)" yes
}
