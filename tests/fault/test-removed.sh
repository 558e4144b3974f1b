#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# Records that are removed or moved while the program runs: one line says so, and the program is as it was.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	for rows in finalize later; do
		TRYST_ROWS=$rows
		export TRYST_ROWS
		check "$mpi, $rows: removed: it ends well" to under shim_run $mpi 2 out-$mpi "$(mpi_program $mpi doomed)" gone 3000
		expect "$mpi, $rows: removed: its output" "$(sort under)" "rank 0 done 3000
rank 1 done 3000"
		expect "$mpi, $rows: removed: that is said once" "$(grep '^tryst' under.err)" \
			"tryst: the files in '$PWD/out-$mpi' were removed while the program ran: what they held is lost"
		check "$mpi, $rows: nothing comes back" test ! -e out-$mpi
		check "$mpi, $rows: moved: it ends well" to under shim_run $mpi 2 out-$mpi "$(mpi_program $mpi doomed)" moved 3000
		expect "$mpi, $rows: moved: that is said once" "$(grep '^tryst' under.err)" \
			"tryst: '$PWD/out-$mpi' was moved while the program ran: 'tryst collect' makes rows where it is now"
		check "$mpi, $rows: they are collected there" "$TRYST" collect moved-away
		expect_sql moved-away "SELECT count(*) FROM op" "12000
12000"
		rm -rf moved-away
	done
	unset TRYST_ROWS
	# all but the claim
	check "$mpi: a run" shim_run $mpi 2 out-$mpi "$(mpi_program $mpi doomed)" end 10
	rm -f out-$mpi/rank-*
	for command in report collect; do
		to said "$TRYST" $command out-$mpi
		expect "$mpi: $command knows that there was a run" "$(cat said.err)" \
			"tryst $command: a run began in 'out-$mpi', but no rank's file is there"
	done
done
finish
