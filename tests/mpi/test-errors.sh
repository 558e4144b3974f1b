#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls that fail: the program sees the same errors; handlers that jump leave no trace; no false ops.
. "${TEST_SRC:-.}/tests/lib.sh"

for mpi in $MPIS; do
	JOURNAL=$PWD/j-$mpi
	export JOURNAL
	mkdir "$JOURNAL"
	check "$mpi: errors ends well bare" to bare mpi_run $mpi 2 "$(mpi_program $mpi errors)"
	rm -f "$JOURNAL"/*
	check "$mpi: errors ends well" to under shim_run $mpi 2 out-$mpi "$(mpi_program $mpi errors)"
	grep '^rank' bare | sort >bare.sorted
	grep '^rank' under | sort >under.sorted
	expect "$mpi: the same errors as bare" "$(diff bare.sorted under.sorted)" ""
	expect "$mpi: every jump was taken" "$(grep -c 'jumped 10' under)" 2
	check_whole $mpi out-$mpi 2
	check_journal "$mpi: rows are what the program did" out-$mpi "$JOURNAL"
done
finish
