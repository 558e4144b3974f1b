#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests in C were built, each of them; without CUnit this says that they were not.
. "${TEST_SRC:-.}/tests/lib.sh"
grep -q '^CUNIT_LIBS = .' "$TEST_BUILD/Makefile" || missing CUnit libcunit1-dev
for source in "$TEST_SRC"/tests/unit/test_*.c "$TEST_SRC"/tests/fuzz/test_*.c; do
	program=${source#"$TEST_SRC"/}
	check "${program%.c} was built" test -x "$TEST_BUILD/${program%.c}"
done
finish
