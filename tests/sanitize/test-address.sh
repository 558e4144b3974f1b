#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# The library under the address and undefined behaviour checkers, inside MPI programs.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/sanitize/sanitize.sh"
need sqlite3 sqlite3
sanitize_with address

for mpi in $MPIS; do
	for program in requests collectives comms errors "doomed end 3000" "doomed chdir 100" "doomed fork 100" \
		"doomed steal 5000" "hammer 3 2 1500"; do
		# shellcheck disable=SC2086
		set -- $program
		name=$1-$2
		program=$(mpi_program $mpi $1)
		shift
		check "$mpi $name: ends well" to under-$name shim_run $mpi 2 out-$name "$program" "$@"
		[ -s under-$name.err ] && grep -a '^tryst:' under-$name.err
		sanitize_reports "$mpi $name"
		check_whole "$mpi $name" out-$name 2
	done
done
finish
