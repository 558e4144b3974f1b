#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# A program that lowers its own limits ends as bare. The rows that it had by then are kept, and what cannot
# be written is told in a line that names the command for it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

stays() {
	echo "the records of rank $1 stay in ring and spool; 'tryst collect $PWD/$out' makes rows of them"
}

for mpi in $MPIS; do
	# of 150 rounds a ring is half full, of 250 more than three quarters
	for limits in 'files 150' 'memory 150' 'fsize 150' 'fsize 250'; do
		mode=${limits% *}
		n=${limits#* }
		out=out-$mpi-$mode-$n
		# one rank: each library lives with these limits where nobody else has to be asked
		if ! to bare mpi_run $mpi 1 "$(mpi_program $mpi doomed)" $mode $n; then
			say "$mpi: it does not live with this limit itself: $mode"
			continue
		fi
		check "$mpi $mode: it ends well" to under shim_run $mpi 1 $out "$(mpi_program $mpi doomed)" $mode $n
		expect "$mpi $mode: output" "$(grep "^rank" under)" "$(grep "^rank" bare)"
		grep '^tryst: ' under.err >said
		case $mode in
		fsize)
			expect "$mpi $mode: the spool takes no more, and no rows are made: a line each ($(cat said))" \
				"$(grep -c 'File too large; from here on only profiles are kept on rank 0$' said) $(grep -c "" said)" "1 2"
			;;
		memory) check "$mpi $mode: at most one line ($(cat said))" [ "$(grep -c "" said)" -le 1 ] ;;
		files) expect "$mpi $mode: one line ($(cat said))" "$(grep -c "" said)" 1 ;;
		esac
		if [ $mode != memory ] || [ -s said ]; then
			check "$mpi $mode: the last line says where they are ($(cat said))" sh -c 'tail -n 1 said | grep -qF "$1"' sh \
				"$(stays 0)"
			check "$mpi $mode: that command makes rows" to collect "$TRYST" collect $out
		fi
		expect_sql $out "PRAGMA integrity_check" ok
		expect_sql $out "SELECT count(*) + (SELECT value FROM run WHERE key = 'dropped_ops') FROM op" $((22 * n))
		expect_sql $out "SELECT sum(count) FROM wait_profile" $((22 * n))
		expect_sql $out "SELECT count(*) FROM run WHERE key IN ('lost_bytes', 'missing_chunks', 'damaged_bytes') AND
			value > 0" 0
		if [ $mode = fsize ]; then
			check "$mpi $mode: what the mapped ring held is there ($(sql $out 'SELECT count(*), max(op_id) FROM op'))" [ \
				"$(sql $out "SELECT count(*) FROM op WHERE op_id <= $((2 * n))")" = $((2 * n)) ]
		else
			expect_sql $out "SELECT count(*) FROM op" $((22 * n))
		fi
	done
done
finish
