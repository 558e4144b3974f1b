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

	# Somebody else puts a directory in its place, whose names lead to what is not theirs.
	mkdir planted
	echo precious >outside
	for name in ring spool db db-journal; do
		for rank in 0 1; do ln -s ../outside planted/rank-00000$rank.$name; done
	done
	ln -s .. planted/started
	REPLACEMENT=$PWD/planted
	export REPLACEMENT
	check "$mpi: replaced: it ends well" to under shim_run $mpi 2 "$PWD/out-$mpi" "$(mpi_program $mpi doomed)" replaced 3000
	expect "$mpi: replaced: that is said once" "$(grep '^tryst' under.err)" \
		"tryst: '$PWD/out-$mpi' was moved while the program ran: 'tryst collect' makes rows where it is now"
	expect "$mpi: replaced: nothing came into the other" "$(find out-$mpi ! -type l | sort)" "out-$mpi"
	to said "$TRYST" collect out-$mpi
	expect "$mpi: replaced: what the links lead to is as it was" "$(cat outside)" precious
	check "$mpi: replaced: the own files are collected" "$TRYST" collect moved-away
	expect_sql moved-away "SELECT count(*) FROM op" "12000
12000"
	rm -rf moved-away out-$mpi

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
