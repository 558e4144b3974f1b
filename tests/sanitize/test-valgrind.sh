#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# The library under valgrind, inside MPI programs. What happens inside MPI is suppressed, and in what MPI
# loads (hwloc and through it OpenCL, its drivers): stacks must reach down to it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need_valgrind

[ -n "$TEST_VALGRIND_LONG" ] || MPIS=${MPIS##* }
programs=${TEST_VALGRIND_LONG:-requests}
for mpi in $MPIS; do
	for name in $programs; do
		to under-$name shim_run $mpi 2 out-$mpi-$name valgrind -q --error-exitcode=66 --leak-check=full \
			--num-callers=100 --show-leak-kinds=definite --errors-for-leak-kinds=definite --log-file="$PWD/report.%p" \
			--suppressions="$TEST_SRC/contrib/tryst.supp" --suppressions="$TEST_BUILD/contrib/mpi.supp" \
			"$(mpi_program $mpi $name)"
		expect "$mpi $name: exit code" $? 0
		expect "$mpi $name: no report" "$(grep -hv 'WARNING: valgrind ignores' report.* 2>/dev/null)" ""
		rm -f report.*
		check_whole "$mpi $name" out-$mpi-$name 2
	done
done
finish
