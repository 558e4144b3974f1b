#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=180
# Each file operation has a row that says what the program did and how much was moved.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
for mpi in $MPIS; do
	out=out-$mpi
	journal=$PWD/journal-$mpi
	mkdir "$journal"
	check "$mpi: the program ends well" shim_run $mpi 2 $out env JOURNAL="$journal" "$(mpi_program $mpi io)" "$PWD/file-$mpi"
	check_whole "$mpi" "$out" 2
	check_journal "$mpi: calls are as the program counted them" "$out" "$journal"
	for r in 0 1; do
		expect "$mpi: rows of rank $r are the program's" "$(sql $out/rank-00000$r.db "SELECT call, coalesce(file, '-'),
			coalesce(seq, '-'), bytes,
			CASE WHEN call LIKE 'MPI_File_i%' AND complete_call = call THEN 'MPI_Wait' ELSE complete_call END
			FROM io ORDER BY enter_ns")" "$(cat "$journal/io-00000$r.txt")"
		expect_sql $out/rank-00000$r.db "SELECT file, comm, name FROM io_file" "1|1|$PWD/file-$mpi
2|2|$PWD/file-$mpi.$r"
		expect_sql $out/rank-00000$r.db "SELECT name, count, bytes FROM io_by_file WHERE call = 'MPI_File_read_at'" \
			"$PWD/file-$mpi|2|600"
	done
	expect_sql "$out" "SELECT count(*) FROM io WHERE blocked_ns < 0 OR leave_ns < enter_ns OR
		complete_leave_ns < complete_enter_ns OR complete_enter_ns < enter_ns OR blocked_ns IS NULL" "0
0"
	expect_sql "$out" "SELECT count(*) FROM pending" "0
0"
	check "$mpi: merged" "$TRYST" merge "$out"
	expect "$mpi: the file that all opened is one, the others are not" \
		"$(sql "$out/run.db" "SELECT file, count(DISTINCT uid) FROM io_file GROUP BY file")" "1|1
2|2"
done
finish
