#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=100
# Receives that were cancelled and never completed are no hang: one line for all that are alike, behind the verdict.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

for mpi in $MPIS; do
	check "$mpi: the program ends well" to said shim_run $mpi 2 $mpi "$(mpi_program $mpi cancel)"
	expect "$mpi: the completion tells whether it was in time" "$(cat said)" "cancelled 1 0"
	expect_sql $mpi/rank-000000.db "SELECT tag, call, complete_call, count(*), coalesce(flags, '') LIKE '%cancelled%' FROM op
		WHERE kind = 'recv' GROUP BY 1, 2, 3, 5 ORDER BY 1" "77|MPI_Startall||32|1
78|MPI_Irecv|MPI_Wait|1|1
79|MPI_Irecv|MPI_Wait|1|0"
	expect_sql $mpi "SELECT count(*), sum(cancelled) FROM pending" "32|32
32|32"
	check "$mpi: the report is made" to report "$TRYST" report -v --width 200 $mpi
	expect "$mpi: what was not completed stands behind the verdict, once a rank" \
		"$(sed -n -e 's/^\(Verdict\):.*/\1/p' -e 's/: main cancel\.c:[0-9]*$//' -e '/^PENDING/p' -e '/^NOT COMPLETED/p' \
			-e '/ posted /p' report)" "Verdict
NOT COMPLETED: begun, and not completed before MPI_Finalize
rank 0 posted MPI_Startall from rank 1, tag 77, 4 B, 32 times, cancelled
rank 1 posted MPI_Startall from rank 0, tag 77, 4 B, 32 times, cancelled"
	expect "$mpi: as many are cancelled as were" "$(sql $mpi/run.db "SELECT sum(ops) FROM match_summary
		WHERE reason = 'cancelled'")" 66
	expect "$mpi: programs get a row each" "$("$TRYST" report -n 100 -f csv -s pending $mpi | grep -c '^pending,.*,cancelled,')" 64
	check "$mpi: there is one such section in JSON" sh -c '[ "$("$1" report -f json $2 | grep -c "^\"pending\": ")" = 1 ]' \
		sh "$TRYST" $mpi
done
finish
