#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Every function that an MPI library exports is in include/mpi.def, wrapped, or skipped with a reason;
# what we export and refer to is exactly that.
. "${TEST_SRC:-.}/tests/lib.sh"
need nm binutils

table=$TEST_SRC/include/mpi.def

# class NAME of each line of the table
classes() {
	$awk '/^#/ || NF == 0 || /^@/ { next }
		$1 == "skip" { print $1, $2; next }
		{ class = $1; sub(/\(.*/, ""); print class, $NF }' "$table"
}

# Dynamic symbols that a file defines, one a line.
defined() {
	nm -D --defined-only "$1" | $awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u
}

classes >table
$awk '{ print $2 }' table | sort -u >known
{
	$awk '$1 != "skip" { print $2; if ($1 != "conv") print "P" $2 }' table
	sed -n 's/^extern void \(tryst_[a-z_]*\)(.*/\1/p' "$TEST_SRC/include/tryst.h"
} | sort >entries

expect "no name is in the table twice" "$($awk '{ print $2 }' table | sort | uniq -d)" ""
expect "what is skipped has a reason" "$($awk '$1 == "skip" && NF < 3 { print $2 }' "$table")" ""
defined "$TRYST_LIB" >exported
expect "libtryst.so exports the marks of tryst.h, the table's entries and nothing else" "$(diff entries exported)" ""
expect "libtryst.so needs the C library alone" \
	"$(readelf -d "$TRYST_LIB" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')" "libc.so.6 "

for mpi in $MPIS; do
	library=$(mpi_library "$mpi")
	kind=$(mpi_kind "$mpi")
	expect "$mpi: the library was found" "$([ -f "$library" ] && echo yes)" yes
	defined "$library" | grep -E '^P?MPIX?_' >symbols
	expect "$mpi: every MPI_ symbol of $library is in the table" \
		"$(grep -v '^P' symbols | comm -23 - known)" ""
	expect "$mpi: every PMPI_ symbol is an MPI_ one with a P" \
		"$(sed -n 's/^P//p' symbols | sort | comm -23 - known)" ""

	shim=$TEST_BUILD/pmpi/tryst-$kind.so
	sed -n 's/^	{FN_\([A-Za-z0-9_]*\),.*/\1/p' "$TEST_BUILD/pmpi/$kind/wrappers.h" | sort >wrapped
	$awk '$1 != "skip" { print $2 }' table | sort | comm -12 - symbols >should
	# the standard ABI has no extensions: they are not in its header
	[ "$kind" != abi ] || sed -i '/^MPIX_/d' should
	expect "$mpi: every function of the table that the library has is wrapped" \
		"$(comm -23 should wrapped)" ""
	expect "$mpi: the shim exports one function" "$(defined "$shim")" "tryst_shim_load"
	expect "$mpi: the shim refers to no symbol of the library" \
		"$(nm -D --undefined-only "$shim" | $awk '{ print $2 }' |
			grep -iE '^(P?MPIX?_|ompi_|MPIR_|opal_)')" ""
	expect "$mpi: every function of class full has a wrapper of its own" \
		"$($awk -f "$TEST_SRC/pmpi/dispatch/mpi.awk" make=missing mpi="$kind" \
			reading=header "$TEST_BUILD/pmpi/$kind/mpi.i" \
			reading=wraps "$TEST_SRC"/pmpi/wrap/*.h \
			"$TEST_BUILD"/pmpi/wrap_*.h reading=table "$table" | tr '\n' ' ')" ""
done

expect "our own calls pass tools behind us: pnext, never next" \
	"$(cd "$TEST_SRC" && grep -nE '(^|[^p])next\.MPI' pmpi/*/*.c)" ""

[ -z "$TEST_ABI" ] || finish	# what follows is the same for all kinds

# A prototype that is not the one of mpi.h must not compile.
set -- $MPIS
flags=$(mpi_setting "$1" CFLAGS)
compiles() {
	for make in next wrappers; do
		$awk -f "$TEST_SRC/pmpi/dispatch/mpi.awk" make=$make mpi="$mpi" \
			reading=header "$TEST_BUILD/pmpi/$mpi/mpi.i" reading=table wrong.def >$make.h
	done
	printf '%s\n' '#include "pmpi/call/call.h"' '#include "wrappers.h"' >wrong.c
	# shellcheck disable=SC2086
	$cc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -I. -I"$TEST_SRC" -I"$TEST_SRC/include" \
		-I"$TEST_BUILD/include" -I"$TEST_BUILD/pmpi" $flags wrong.c >wrong.log 2>&1
}
mpi=$1
# The first chapter of the table: all of it takes a minute to compile on a busy machine.
sed '/^# Collectives/,$d' "$table" >chapter.def
table=$PWD/chapter.def
cp "$table" wrong.def
check "the table as it is compiles" compiles
sed 's/int MPI_Send(const void \*buf, int count,/int MPI_Send(const void *buf, long count,/' \
	"$table" >wrong.def
expect "the wrong table is another one" "$(cmp -s "$table" wrong.def || echo yes)" yes
expect "a wrong prototype stops the build" "$(compiles || grep -o 'MPI_Send: include/mpi.def disagrees with mpi.h' wrong.log | head -n 1)" \
	"MPI_Send: include/mpi.def disagrees with mpi.h"
# Revisions of the standard add and drop const: neither direction stops the build.
changed() {
	sed "$2" "$table" >wrong.def
	expect "$1: the table is another one" "$(cmp -s "$table" wrong.def || echo yes)" yes
	check "$1: it compiles" compiles
}
changed "const less in the table" 's/int MPI_Send(const void \*buf/int MPI_Send(void *buf/'
changed "const more in the table" 's/int MPI_Wait(MPI_Request \*request/int MPI_Wait(const MPI_Request *const request/'
sed 's/int MPI_Send(const void \*buf/int MPI_Send(const char *buf/' "$table" >wrong.def
expect "another type behind const stops the build" \
	"$(compiles || grep -o 'MPI_Send: include/mpi.def disagrees with mpi.h' wrong.log | head -n 1)" \
	"MPI_Send: include/mpi.def disagrees with mpi.h"
{
	cat "$table"
	echo "@$mpi count     int MPI_Wait(MPI_Request *request, MPI_Status *status, int other)"
} >wrong.def
expect "a line for one library overrides the common one" \
	"$(compiles || grep -o 'MPI_Wait: include/mpi.def disagrees with mpi.h' wrong.log | head -n 1)" \
	"MPI_Wait: include/mpi.def disagrees with mpi.h"

# A function that only mpi.h has is named by configure, and the build goes on without it.
mkdir more
cat >more/mpi.h <<'END'
#include_next <mpi.h>
extern int MPI_Made_up(const char *name,
	MPI_Comm (*callback)(MPI_Comm comm, int what), int *result) __attribute__((nonnull(1)));
int MPIX_Made_up_too(void);
typedef int (MPI_Made_up_function)(int);
int PMPIX_Made_up_too(void);
END
header() {
	# shellcheck disable=SC2086
	$cc -std=gnu11 -E -dD -Imore $flags "$TEST_SRC/pmpi/dispatch/mpi_header.h" >more.i
}
check "the made-up header can be read" header
expect "functions that the table lacks are found" \
	"$($awk -f "$TEST_SRC/pmpi/dispatch/mpi.awk" make=unknown reading=header more.i reading=table "$TEST_SRC/include/mpi.def" | tr '\n' ' ')" \
	"MPI_Made_up MPIX_Made_up_too "
if [ -f "$TEST_SRC/config.status" ]; then
	say "the source tree is configured itself: configure is not tried"
	finish
fi
case $mpi in
openmpi) setting=OPENMPI_CFLAGS name="Open MPI" ;;
mpich) setting=MPICH_CFLAGS name=MPICH ;;
esac
mkdir build
check "configure takes the made-up header" to configured sh -c 'cd build && "$0"/configure "$@"' "$TEST_SRC" \
	--with-mpi="$mpi" "CC=$cc" "$setting=-I$PWD/more $flags"
expect "configure names what will not be recorded" "$(sed -n 's/^configure: \(.*unknown.*\)/\1/p' configured)" \
	"$name: functions of its mpi.h that are unknown and not recorded: 2 (MPI_Made_up, MPIX_Made_up_too)"
check "the wrappers are made without them" to made make -C build "pmpi/$mpi/wrappers.h"
expect "they are not in the wrappers" "$(grep -c Made_up "build/pmpi/$mpi/wrappers.h")" 0
finish
