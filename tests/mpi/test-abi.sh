#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# Programs built for the standard ABI of MPI-5 are recorded like those of a library's own ABI: repeats tests of
# this directory. One program runs with each library that has the ABI, and one shim records it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
if [ ! -d "$TEST_BUILD/tests/mpi/abi" ]; then
	for mpi in $MPIS; do
		[ -z "$(lib_abi_library "$mpi")" ] || fail "$mpi has the standard ABI, but no shim was built for it"
	done
	[ $lib_failed -eq 0 ] || finish
	skip "no MPI library here has the standard ABI"
fi

lib_use_abi
found=$MPIS
check "a library of the standard ABI is there" test -n "$found"
for name in collectives comms corners dispatch errors io match mpi4 mpi5 requests rma sessions spawn \
	symbols threads; do
	mkdir "$name"
	TEST_ABI=1 TEST_TMPDIR=$PWD/$name timeout 400 sh "$TEST_SRC/tests/mpi/test-$name.sh" >"$name.log" 2>&1
	code=$?
	expect "mpi/test-$name with$(printf ' %s' $found)" "$code $(grep -A 4 FAILED "$name.log")" "0 "
	[ $code -eq 0 ] || tail -n 20 "$name.log"
	rm -rf "$name"
done

# The same program by either ABI of a library: the same rows.
rows_of() {
	shim_run "$1" 2 "$2" "$(mpi_program "$1" calls)" file >said 2>err
	echo "$? $(cat said err)"
	sql "$2" "SELECT call, sum(count) FROM call_profile GROUP BY call ORDER BY call;
		SELECT kind, mode, call, peer, tag, bytes FROM op ORDER BY op_id;
		SELECT call, comm, root, sent_bytes, recv_bytes FROM collective ORDER BY comm, seq;
		SELECT call, peer, bytes FROM rma ORDER BY rma_id; SELECT call, bytes FROM io ORDER BY io_id" 2>&1
}
for mpi in $found; do
	rows_of "$mpi" "own-$mpi" >own.rows
	TEST_ABI=1
	rows_of "$mpi" "abi-rows-$mpi" >abi.rows
	TEST_ABI=
	check "$mpi: there are rows" test "$(wc -l <own.rows)" -gt 100
	expect "$mpi: the same rows by either ABI" "$(diff own.rows abi.rows)" ""
	expect "$mpi: of the same library" "$(sql "abi-rows-$mpi" "SELECT value FROM run WHERE key = 'mpi_library'")" \
		"$(sql "own-$mpi" "SELECT value FROM run WHERE key = 'mpi_library'")"
done

# A library's own libmpi beside that of the standard ABI: what the program is linked with decides.
cat >beside.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("BESIDE");

	if (path && !dlopen(path, RTLD_NOW | RTLD_GLOBAL))
		puts(dlerror());
}
END
check "beside.c compiles" "$cc" -shared -fPIC beside.c -o beside.so -ldl
# records WHAT MPI LIBRARY SHIM PROGRAM: the program, with another library opened beside its own
records() {
	rm -rf rows
	mpi_run "$2" 2 env LD_PRELOAD="$TRYST_LIB:$PWD/beside.so" BESIDE="$3" TRYST_DIR=rows "$5" file >said 2>err
	expect "$2: $1 runs" "$? $(cat said err)" "0 done"
	expect "$2: $1 is recorded by" "$(sql rows "SELECT value FROM run WHERE key = 'shim'" | sort -u)" "$4"
}
for mpi in $found; do
	own=$(mpi_library "$mpi")
	standard=$(lib_abi_library "$mpi")
	records "a program of its own ABI, the standard one beside it," "$mpi" "$standard" "$mpi" \
		"$(mpi_program "$mpi" calls)"
	TEST_ABI=1
	records "a program of the standard ABI, the library's own beside it," "$mpi" "$own" abi \
		"$(mpi_program "$mpi" calls)"
	TEST_ABI=
done
finish
