#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls that fail: the program sees the same errors; handlers that jump leave no trace; no false ops.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

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
	expect "$mpi: what returned errors is counted" "$(sed -n 's/^failed of //p' under | sort)" \
		"$(sql out-$mpi "SELECT rank || ': ' || sum(errors) FROM call_profile")"
	expect_sql out-$mpi "SELECT count, errors FROM call_profile WHERE call = 'MPI_Bcast'" "1|1
1|1"
	expect "$mpi: the report tells" "$("$TRYST" report -f csv -s losses out-$mpi | sed -n 's/^losses,calls_failed,"0,1",\([0-9]*\),calls,.* calls returned an error: .*/\1/p')" \
		"$(sql out-$mpi "SELECT sum(errors) FROM call_profile" | awk '{ n += $1 } END { print n }')"
	check_whole $mpi out-$mpi 2
	check_journal "$mpi: rows are what the program did" out-$mpi "$JOURNAL"
done
finish
