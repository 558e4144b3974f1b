#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Requests of MPI-4 have the rows that two plain ops, or one plain message, would have.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
for mpi in $MPIS; do
	shim_run "$mpi" 2 "out-$mpi" "$(mpi_program "$mpi" mpi4)" >said 2>err
	expect "$mpi: the program ends well" "$? $(cat err)" "0 "
	expect_sql "out-$mpi" "SELECT count(*), sum(bytes) FROM op WHERE tag = 1" "2|8
2|8"
	expect_sql "out-$mpi" "SELECT count(*) FROM pending" "0
0"
	expect_sql "out-$mpi" "SELECT count(*) FROM op WHERE complete_leave_ns < complete_enter_ns
		OR post_enter_ns > complete_leave_ns OR blocked_ns < 0" "0
0"
	expect_sql "out-$mpi" "SELECT count(*) FROM op WHERE complete_call = 'MPI_Request_get_status'" "0
0"
	[ "$(cat said)" = older ] && continue
	expect "$mpi: the program found no error" "$(cat said)" "done"
	expect_sql "out-$mpi/rank-000000.db" "SELECT kind, call, complete_call, bytes, peer FROM op
		WHERE call LIKE 'MPI_Isendrecv%' ORDER BY tag, kind DESC" \
		"send|MPI_Isendrecv|MPI_Wait|16|1
recv|MPI_Isendrecv|MPI_Wait|32|1
send|MPI_Isendrecv_c|MPI_Waitall|20|1
recv|MPI_Isendrecv_c|MPI_Waitall|20|1
send|MPI_Isendrecv_replace|MPI_Wait|24|1
recv|MPI_Isendrecv_replace|MPI_Wait|24|1"
	expect_sql "out-$mpi/rank-000000.db" "SELECT kind, call, complete_call, bytes, count(*) FROM op
		WHERE tag = 7 GROUP BY kind ORDER BY kind DESC" \
		"send|MPI_Startall|MPI_Waitall|4096|2
recv|MPI_Startall|MPI_Waitall|4096|2"
	expect_sql "out-$mpi/rank-000000.db" "SELECT kind, call, complete_call, bytes FROM op
		WHERE call LIKE 'MPI_%mrecv%' OR call LIKE 'MPI_Mrecv%' ORDER BY op_id" \
		"recv|MPI_Mrecv_c|MPI_Mrecv_c|4
recv|MPI_Imrecv_c|MPI_Wait|4"
	expect_sql "out-$mpi/rank-000000.db" "SELECT abs(sum(o.blocked_ns) - w.time_ns) < 20 FROM op o,
		(SELECT complete_enter_ns AS e, complete_leave_ns - complete_enter_ns AS time_ns FROM op
			WHERE call = 'MPI_Isendrecv_c' LIMIT 1) w
		WHERE o.complete_enter_ns = w.e AND o.complete_call = 'MPI_Waitall'" "1"
done
finish
