#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What an id of the call stack costs: nanoseconds, and ratios to a stack that is remembered.
. "${TEST_SRC:-.}/tests/lib.sh"
check "the benchmark builds" ${CC:-cc} -std=gnu11 -O2 -I"$TEST_SRC" -I"$TEST_SRC/include" \
	"$TEST_SRC/tests/perf/bench_callsite.c" "$TEST_BUILD/pmpi/libcallsite.a" \
	-o bench -lpthread -ldl
check "it runs" ./bench
finish
