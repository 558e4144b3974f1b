#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A remembered stack of eight frames costs a bounded number of instructions, whatever the machine's
# load; so does the question whose code an address is.
. "${TEST_SRC:-.}/tests/lib.sh"
need_valgrind
need_optimised
# without what valgrind may not be able to read: another compiler's notes for debuggers
check "the benchmark builds" ${CC:-cc} -std=gnu11 -O2 -Wl,--strip-debug -I"$TEST_SRC" -I"$TEST_SRC/include" \
	"$TEST_SRC/tests/perf/bench_callsite.c" "$TEST_BUILD/pmpi/libcallsite.a" \
	-o bench -lpthread -ldl

# instructions WHAT: a call, the loop around it included
instructions() {
	for calls in 1000 11000; do
		valgrind --tool=callgrind --callgrind-out-file=/dev/null ./bench "$1" $calls 2>&1 |
			sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
	done | awk 'NR == 1 { few = $1 } NR == 2 { print int(($1 - few) / 10000) }'
}

# within WHAT GOT MOST
within() {
	say "$1: $2 instructions, at most $3"
	[ -n "$2" ] && [ "$2" -gt 0 ] && [ "$2" -le "$3" ]
}
check "remembered stacks" within "a remembered stack" "$(instructions hits)" 110
check "kinds of modules" within "the kind of a module" "$(instructions kinds)" 30
finish
