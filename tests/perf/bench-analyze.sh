#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=3600
# What merging and matching cost: messages a second, and memory, which must not grow with the run.
# BENCH_MESSAGES=10000000 for the size that the budget is about.
. "${TEST_SRC:-.}/tests/lib.sh"
lib() {
	echo "$TEST_BUILD/$1/$2.a"
}
check "the benchmark builds" ${CC:-cc} -std=gnu11 -O2 -I"$TEST_SRC" -I"$TEST_SRC/include" \
	"$TEST_SRC/tests/perf/bench_analyze.c" "$(lib tests libspoolgen)" \
	"$(lib analysis/format libformat)" "$(lib analysis/model libmodel)" "$(lib include libnames)" \
	-o bench -lsqlite3 -lm -lpthread -ldl
mkdir runs
check "merging and matching stay within their budget of memory" ./bench runs "$TRYST" \
	"${BENCH_MESSAGES:-2000000}"
finish
