#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# A replay goes through two million messages a second on one core, for 2 to 1,000 ranks.
. "${TEST_SRC:-.}/tests/lib.sh"
lib() {
	echo "$TEST_BUILD/$1/$2.a"
}
check "the benchmark builds" ${CC:-cc} -std=gnu11 -O2 -I"$TEST_SRC" -I"$TEST_SRC/include" -I"$TEST_BUILD" \
	-I"$TEST_BUILD/include" "$TEST_SRC/tests/perf/bench_replay.c" "$TEST_BUILD/analysis/libcommand.a" \
	"$TEST_BUILD/analysis/match/libmatch.a" "$(lib analysis/format libformat)" "$(lib analysis/model libmodel)" \
	"$(lib include libnames)" -o bench -lsqlite3 -lm -lpthread -ldl
check "two million messages a second" ./bench "${BENCH_MESSAGES:-1000000}"
finish
