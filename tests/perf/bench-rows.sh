#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a row costs from its record in the spool to SQLite, against other ways of writing rows.
. "${TEST_SRC:-.}/tests/lib.sh"
lib() {
	echo "$TEST_BUILD/$1/$2.a"
}
check "the benchmark builds" ${CC:-cc} -std=gnu11 -O2 -I"$TEST_SRC" -I"$TEST_SRC/include" \
	"$TEST_SRC/tests/perf/bench_rows.c" "$(lib tests libspoolgen)" "$(lib analysis/format libformat)" \
	"$(lib analysis/model libmodel)" "$(lib include libnames)" -o bench -lsqlite3 -lm -lpthread -ldl
check "it runs within its budget of memory" ./bench run
finish
