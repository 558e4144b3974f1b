#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What MPI-4.1 added: looking at several requests completes nothing, and requests for a flush of buffers
# take no other request's completion.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
for mpi in $MPIS; do
	shim_run "$mpi" 2 "out-$mpi" "$(mpi_program "$mpi" mpi5)" >said 2>err
	expect "$mpi: the program ends well" "$? $(cat err)" "0 "
	case $(cat said) in
	"older 3."* | "older 4.0")
		say "$mpi: no MPI-4.1"
		continue ;;
	esac
	check "$mpi: the program found no error ($(cat said))" grep -q "^done [45]" said
	expect_sql "out-$mpi" "SELECT count(*) FROM pending" "0
0"
	expect_sql "out-$mpi/rank-000001.db" "SELECT tag, kind, peer, bytes, complete_call FROM op
		WHERE call = 'MPI_Irecv' AND tag < 20 ORDER BY op_id" \
		"10|recv|0|4|MPI_Waitall
11|recv|0|4|MPI_Waitall
12|recv|0|4|MPI_Waitall"
	# polling ended with the call that completed: the asking alone is not it
	expect_sql "out-$mpi" "SELECT count(*) FROM op WHERE complete_call LIKE '%get_status%' OR
		complete_call LIKE '%flush%'" "0
0"
	expect_sql "out-$mpi/rank-000000.db" "SELECT call, min(sum(count), 2) FROM call_profile
		WHERE call LIKE 'MPI_Request_get_status%' GROUP BY call" \
		"MPI_Request_get_status_all|2
MPI_Request_get_status_any|2
MPI_Request_get_status_some|2"
	expect_sql "out-$mpi/rank-000000.db" "SELECT call, sum(count) FROM call_profile
		WHERE call LIKE '%flush%' OR call LIKE '%attach_buffer' OR call LIKE '%detach_buffer' GROUP BY call" \
		"MPI_Buffer_flush|2
MPI_Buffer_iflush|4
MPI_Comm_attach_buffer|1
MPI_Comm_detach_buffer|1
MPI_Comm_flush_buffer|2
MPI_Comm_iflush_buffer|4"
	expect_sql "out-$mpi/rank-000000.db" "SELECT tag, mode FROM op WHERE call = 'MPI_Bsend' ORDER BY op_id" \
		"20|buffered
21|buffered
22|buffered
23|buffered"
	# the receive and the send around each flush are completed by the call of their round
	for call in MPI_Waitall MPI_Waitany MPI_Testsome MPI_Wait; do
		case $call in
		MPI_Waitall) round=0 ;;
		MPI_Waitany) round=1 ;;
		MPI_Testsome) round=2 ;;
		MPI_Wait) round=3 ;;
		esac
		expect_sql "out-$mpi" "SELECT call, count(*) FROM op WHERE tag IN (20 + $round, 30 + $round)
			AND call IN ('MPI_Irecv', 'MPI_Issend') AND complete_call = '$call' GROUP BY call" \
			"MPI_Irecv|1
MPI_Issend|1
MPI_Irecv|1
MPI_Issend|1"
	done
	expect_sql "out-$mpi" "SELECT count(*) FROM op WHERE complete_leave_ns < complete_enter_ns
		OR post_enter_ns > complete_leave_ns OR blocked_ns < 0" "0
0"
	expect_sql "out-$mpi/rank-000000.db" "SELECT count(DISTINCT call) FROM call_profile WHERE call IN
		('MPI_Status_set_source', 'MPI_Status_get_tag', 'MPI_Remove_error_class', 'MPI_Get_hw_resource_info',
		'MPI_Type_get_value_index')" 5
done
finish
