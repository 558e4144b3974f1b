#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed
# C++ exceptions pass frames with callsites, by the program's own unwinder and at its own price,
# whether the program links libgcc_s or carries its unwinder inside.
. "${TEST_SRC:-.}/tests/lib.sh"
need c++ g++
library=$TEST_BUILD/pmpi/libcallsite.a
checker=$(sed -n 's/^CFLAGS = .*\(-fsanitize=[a-z]*\).*/\1/p' "$TEST_BUILD/Makefile")
for static in "" "-static-libgcc -static-libstdc++"; do
	# shellcheck disable=SC2086
	check "the program builds $static" c++ -O2 $checker $static "$TEST_SRC/tests/unit/callsite_throw.cpp" \
		"$library" -o throw -lpthread -ldl
	check "exceptions are the program's own $static" ./throw
done
finish
