#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What preloading costs a process that never calls MPI, in instructions, against an empty library.
. "${TEST_SRC:-.}/tests/lib.sh"
need_valgrind

echo 'int main(void) { return 0; }' >nothing.c
echo 'int empty;' >empty.c
$cc nothing.c -o nothing || exit 1
$cc -shared -fPIC empty.c -o empty.so || exit 1

# Instructions of ./nothing with a library preloaded.
instructions() {
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null ./nothing 2>&1 |
		sed -n 's/.*Collected : *//p'
}

empty=$(instructions "$PWD/empty.so")
ours=$(instructions "$TRYST_LIB")
say "instructions: empty library $empty, libtryst.so $ours, added $((ours - empty))"
check "both were counted" [ "${empty:-0}" -gt 1000 ]
# 1330 entries of the table are relocated, at 16 instructions each: about 10 us.
check "preloading adds less than 40000 instructions to a process" [ "$((ours - empty))" -lt 40000 ]
finish
