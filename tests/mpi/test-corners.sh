#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# Failed, nested, probed, freed or handed over: each request and message has the row it should.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

TRYST_CALIBRATE=off
export TRYST_CALIBRATE
for mpi in $MPIS; do
	# a defect in the tables can be a loop without end
	check "$mpi: corners ends well" to said shim_run $mpi 1 out-$mpi timeout 100 "$(mpi_program $mpi corners)"
	expect "$mpi: what it said" "$(cat said)" "done"
	check_whole $mpi out-$mpi 1
	db=out-$mpi/rank-000000.db
	expect_sql $db "SELECT count(*) FROM pending" 0
	# calls that fail
	expect_sql $db "SELECT kind, tag FROM op WHERE ',' || flags || ',' LIKE '%,first,%' ORDER BY op_id" "recv|2
send|2"
	expect_sql $db "SELECT call, seq FROM collective WHERE comm = 2 ORDER BY seq LIMIT 2" "MPI_Barrier|0
MPI_Barrier|2"
	# probes
	expect_sql $db "SELECT tag, call, bytes FROM op WHERE ',' || flags || ',' LIKE '%,probed,%'
		AND tag < 30" "21|MPI_Recv|4"
	expect_sql $db "SELECT tag, peer, bytes FROM op WHERE call = 'MPI_Mrecv' AND tag < 40
		ORDER BY op_id" "30|0|4
31|0|2"
	expect_sql $db "SELECT count(*), count(DISTINCT tag), min(tag), max(tag) FROM op
		WHERE call = 'MPI_Mrecv' AND tag >= 40 AND bytes = 4" "20|20|40|59"
	expect_sql $db "SELECT count(*), sum(poll_ns) FROM op WHERE tag = 80 AND kind = 'recv'" "1|0"
	# handles that outlive, nest, and are used again
	expect_sql $db "SELECT kind, count(*), count(DISTINCT comm), sum(bytes), sum(peer) FROM op WHERE tag = 90
		GROUP BY kind" "recv|3|1|12|0
send|3|1|12|0"
	expect_sql $db "SELECT kind, complete_call FROM op WHERE tag = 100 ORDER BY kind LIMIT 1" \
		"recv|MPI_Waitall"
	expect_sql $db "SELECT count(*) FROM op WHERE tag >= 1000 AND flags LIKE '%cancelled%'" 40000
	expect_sql $db "SELECT (SELECT count(*) FROM op WHERE tag BETWEEN 200 AND 263 AND kind = 'send') =
		(SELECT count(*) FROM op WHERE tag BETWEEN 200 AND 263 AND kind = 'recv')" 1
	# times that do not fit a record which refers to another
	expect_sql $db "SELECT count(*), max(post_enter_ns) - min(post_enter_ns) BETWEEN 4300000000 AND 60000000000,
		max(post_leave_ns - post_enter_ns) < 1000000000 FROM op WHERE tag = 110 AND kind = 'recv'" "3|1|1"
	expect_sql $db "SELECT count(*), count(DISTINCT comm), max(seq) FROM collective
		WHERE call = 'MPI_Barrier' AND comm > 2" "600|600|0"
done
finish
