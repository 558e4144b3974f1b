#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# The library under the thread checker: programs whose threads share all that can be shared.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/sanitize/sanitize.sh"
need sqlite3 sqlite3
sanitize_with thread

for mpi in $MPIS; do
	check "$mpi threads: ends well" to under shim_run $mpi 2 out-threads "$TEST_BUILD/sanitize/thread/threads" 4 100
	sanitize_reports "$mpi threads"
	check_whole "$mpi threads" out-threads 2
	check "$mpi hammer: ends well" to under shim_run $mpi 2 out-hammer "$TEST_BUILD/sanitize/thread/hammer" 4 2 1200
	sanitize_reports "$mpi hammer"
	check_whole "$mpi hammer" out-hammer 2
	check "$mpi handover: ends well" to under shim_run $mpi 2 out-handover "$TEST_BUILD/sanitize/thread/handover" 50
	sanitize_reports "$mpi handover"
	check_whole "$mpi handover" out-handover 2
	check "$mpi ends: ends well" to under shim_run $mpi 1 out-ends "$TEST_BUILD/sanitize/thread/ends" 12 500
	sanitize_reports "$mpi ends"
	expect_sql out-ends/rank-000000.db "SELECT (SELECT count(*) FROM op),
		(SELECT sum(count) FROM call_profile WHERE call = 'MPI_Send')" "6000|6000"
done
finish
