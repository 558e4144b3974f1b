#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Nearly all that mpi4py offers does under us what it does bare, and each call is counted once. (The counting library
# finds nothing behind itself where MPI was opened for python alone, so it stands before us.)
. "${TEST_SRC:-.}/tests/lib.sh"

python=/usr/bin/python3
"$python" -c 'import mpi4py.MPI' 2>/dev/null || missing mpi4py python3-mpi4py
case $("$python" -c 'from mpi4py import MPI; print(MPI.get_vendor()[0])') in
"Open MPI") mpis_with openmpi ;;
MPICH) mpis_with mpich ;;
esac
. "$TEST_SRC/tests/mpi/counts.sh"

mpi=${MPIS# }
tour=$TEST_SRC/tests/mpi/tour.py

# A run takes seconds. After 60 s its launcher and ranks are ended.
bare_run() {
	lib_under="timeout -k 5 60 $lib_under" mpi_run "$mpi" $n "$python" "$tour" $at spawn
}

# With Open MPI 6.0 rc2 some runs that spawn do not end, even without tryst.
ends_bare() {
	for _ in 1 2 3; do
		to bare bare_run
		code=$?
		[ $code -eq 124 ] || return $code
	done
	say "$n ranks: three bare runs did not end"
	return 124
}

for n in 2 4; do
	at=$n.files
	mkdir $at
	ends_bare
	code=$?
	[ $code -ne 124 ] || continue
	check "$n ranks: bare" test $code -eq 0
	check "$n ranks: under the library" to under shim_run "$mpi" $n out-$n "$python" "$tour" $at spawn
	expect "$n ranks: what it said" "$(cat under under.err)" "$(cat bare bare.err)"
	expect "$n ranks: and it went to its end" "$(tail -n 1 under)" "children done"
	check_whole "$n ranks" out-$n $((n + 2))
	expect "$n ranks: the children are a world of their own" "$(find out-$n/world-1 -name 'rank-*.db' | wc -l)" 2
	expect "$n ranks: all ended well, nothing was dropped" "$(sql out-$n "SELECT DISTINCT key, value FROM run
		WHERE key IN ('clean_finalize', 'dropped') ORDER BY key" | sort -u)" "clean_finalize|1
dropped|0"
	[ $n = 4 ] || continue
	check "$n ranks: by tryst run" to run mpi_run "$mpi" $n "$TRYST" run -o by-run-$n "$python" "$tour" $at spawn
	expect "$n ranks: what it said" "$(cat run)" "$(cat bare)"
	check "$n ranks: tryst report" to report "$TRYST" report -v by-run-$n
	counts_equal "$n ranks" "$mpi" before $n "$python" "$tour" $at
done
finish
