#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# The program is told the thread level that it was given, also where MPI_Init read a setting of the library.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
TRYST_CACHE=off
export TRYST_CACHE
for mpi in $MPIS; do
	for _ in 1 2 3 4 5 6; do
		rm -rf out
		shim_run "$mpi" 2 out "$(mpi_program "$mpi" level)" >said 2>err
		expect "$mpi: the level is the same" "$(grep -c same said) $(grep -c other said)" "2 0"
		# only then was a setting looked for
		[ -n "$(sql out "SELECT 1 FROM link_param WHERE name = 'S' AND value > 0 LIMIT 1")" ] && break
	done
done
finish
