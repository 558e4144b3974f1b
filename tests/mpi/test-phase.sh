#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=180
# Phases have rows and sums; what MPI_Pcontrol keeps out is not recorded, and what it makes is known.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need g++ g++
for mpi in $MPIS; do
	mpi_run $mpi 2 "$(mpi_program $mpi phase)" >bare 2>&1
	expect "$mpi: marks do nothing without the library" "$? $(cat bare)" "0 done"
	for record in on pcontrol; do
		out=out-$mpi-$record
		shim_run $mpi 2 $out env TRYST_RECORD=$record "$(mpi_program $mpi phase)" >said 2>err
		expect "$mpi $record: the program ends well" "$? $(cat said err)" "0 done"
		check_whole "$mpi $record" $out 2
		db=$out/rank-000000.db
		expect_sql $db "SELECT tag, kind, count(*) FROM op GROUP BY tag, kind ORDER BY tag, kind" "101|recv|1
101|send|1
102|recv|1
102|send|1
103|recv|3
103|send|3
104|recv|1
104|send|1
105|recv|1
106|recv|1
106|send|1
107|recv|1
107|send|1
202|send|1"
		expect_sql $db "SELECT name, level, leave_ns IS NOT NULL FROM phase WHERE seq > ($(
			)SELECT count(*) FROM run WHERE key = 'TRYST_RECORD' AND value = 'pcontrol') ORDER BY seq" \
			"outer||1
inner||1
inner||1
inner||1
MPI_Pcontrol(7)|7|1
not recorded|0|1
last||0
not recorded|0|1"
		expect_sql $db "SELECT p.name FROM phase p JOIN phase o ON o.name = 'outer' WHERE p.enter_ns >= o.enter_ns
			AND p.leave_ns <= o.leave_ns AND p.seq <> o.seq ORDER BY p.seq" "inner
inner
inner
MPI_Pcontrol(7)"
		expect_sql $db "SELECT phase, kind, count, bytes FROM wait_by_phase WHERE phase IS NOT NULL
			ORDER BY phase, kind" "MPI_Pcontrol(7)|recv|1|4
MPI_Pcontrol(7)|send|1|4
inner|collective|3|0
inner|recv|3|12
inner|send|3|12
outer|recv|1|4
outer|send|1|4"
		expect_sql $db "SELECT sum(count) = (SELECT count(*) FROM op) FROM wait_by_phase WHERE kind IN ('send', 'recv')" 1
		expect_sql $db "SELECT total(w.wait_ns) = (SELECT total(wait_ns) FROM op) FROM wait_by_phase w" 1
		expect_sql $db "SELECT phase, count FROM phase_profile WHERE phase = 'inner'" "inner|3"
		# posted before, completed while nothing was recorded
		expect_sql $db "SELECT complete_call, flags LIKE '%freed%', blocked_ns FROM op WHERE tag = 105" "MPI_Pcontrol|1|0"
		# a persistent request, a datatype, a communicator, a window from meanwhile
		expect_sql $db "SELECT kind, call, bytes, comm > 2 FROM op WHERE tag = 106 ORDER BY kind" "recv|MPI_Irecv|8|1
send|MPI_Start|8|1"
		expect_sql $db "SELECT count(DISTINCT o.comm), c.maker FROM op o JOIN communicator c ON c.comm = o.comm
			WHERE tag IN (106, 107)" "1|MPI_Comm_dup"
		expect_sql $db "SELECT call, window FROM rma ORDER BY enter_ns" "MPI_Win_create|1
MPI_Win_fence|1
MPI_Win_free|1"
		expect_sql $db "SELECT call, count(*) FROM collective GROUP BY call" "MPI_Barrier|3
MPI_Comm_dup|1"
		expect_sql $db "SELECT count(*) FROM pending" 0
		expect_sql $db "SELECT value > 0 FROM run WHERE key = 'unrecorded_ns'" 1
		check "$out: the report says that nothing was recorded for a time" to said \
			sh -c '"$1" report -s losses "$2" | grep "nothing was recorded for .* of their time"' sh "$TRYST" $db
		cp $db half.db
		sqlite3 half.db "UPDATE run SET value = (SELECT CAST(value AS INTEGER) / 2 FROM run WHERE key = 'end_ns')
			WHERE key = 'unrecorded_ns'"
		check "$out: the verdict does, where that is much of the time" to said sh -c '"$1" report --width 999 \
			-s verdict "$2" | grep "^Verdict: .*in 50 % of the ranks. time nothing was recorded, "' sh "$TRYST" half.db
	done
done

# The header is taken by C++ and by code that is not position-independent.
for mpi in $MPIS; do
	case $mpi in
	openmpi) compiler=$(lib_launcher mpicc.openmpi mpicc) ;;
	mpich) compiler=$(lib_launcher mpicc.mpich mpicc) ;;
	esac
	[ -n "$compiler" ] || continue
	check "$mpi: compiles without -fPIC" "$compiler" -fno-pic -no-pie -I"$TEST_SRC/include" -Wall -Werror \
		-Wno-error=stringop-overflow -Wno-error=stringop-overread -o fixed-$mpi "$TEST_SRC/tests/mpi/phase.c"
	check "$mpi: and runs" to said shim_run $mpi 2 out-fixed-$mpi ./fixed-$mpi
	expect_sql out-fixed-$mpi/rank-000001.db "SELECT count(*) FROM phase WHERE name = 'inner'" 3
done
echo '#include "tryst.h"
int main() { tryst_phase_begin("x"); tryst_phase_end(); return 0; }' >mark.cpp
check "C++ takes the header" ${CXX:-c++} -Wall -Wextra -Werror -I"$TEST_SRC/include" -o mark mark.cpp
check "and needs nothing" ./mark
finish
