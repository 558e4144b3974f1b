#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# A timer's handler that sends, jumps, forks or exits at any instruction, on whichever stack, finds no lock taken and
# no record half written; what it called in the middle of our own work is counted as lost.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# few rows, so that full rings are folded, too
TRYST_CALIBRATE=off TRYST_MAX_OPS=20000
export TRYST_CALIBRATE TRYST_MAX_OPS
for mpi in $MPIS; do
	for mode in call stack jump exit; do
		program=$(mpi_program $mpi signals)
		to bare mpi_run $mpi 1 timeout 60 "$program" $mode
		bare=$?
		out=out-$mpi-$mode
		to under shim_run $mpi 1 $out timeout 60 "$program" $mode
		expect "$mpi $mode: exit code" $? $bare
		check_whole "$mpi $mode" $out 1
		# on a busy machine all signals may come in the program's first call, and no call returns
		sent=$(sql $out "SELECT coalesce(sum(count), 0) FROM call_profile WHERE call = 'MPI_Send'")
		rows=$(sql $out "SELECT coalesce(sum(count), 0) FROM wait_profile")
		# a call that was left has a row or none, and is counted but for the last one
		case $mode in call | stack) left=0 ;; jump) left=300 ;; exit) left=1 ;; esac
		check "$mpi $mode: as many messages, $rows, as calls, $sent" \
			test "$rows" -ge $((sent - left)) -a "$rows" -le $((sent + left))
		# call: sent N to M, in handlers K
		begun=$(sed -n "s/^$mode: .* to \([0-9]*\),.*/\1/p" under)
		nested=$(sed -n 's/.* in handlers \([0-9]*\)$/\1/p' under)
		returned=$(sed -n "s/^$mode: sent \([0-9]*\) to.*/\1/p" under)
		case $mode in
		call | stack)
			expect "$mpi $mode: each call is counted or lost" "$(sql $out "SELECT sum(count) +
				(SELECT value FROM run WHERE key = 'dropped_other') FROM call_profile
				WHERE call IN ('MPI_Send', 'MPI_Comm_rank')")" $((begun + 2 * nested))
			check "$mpi $mode: all that was sent by the program is there" test "$sent" -ge "$begun"
			# most of the time is spent in our own work, where nothing may be recorded
			check "$mpi $mode: calls in the middle of our own work are lost" test "$(sql $out \
				"SELECT value FROM run WHERE key = 'dropped_other'")" -gt 0
			;;
		jump)
			check "$mpi $mode: $returned to $begun, $rows: all that was sent is there" \
				test "$rows" -ge "$returned" -a "$rows" -le "$begun"
			;;
		esac
	done

	# Calls from deeper in the stack than the one that was jumped out of are no handler's.
	out=out-$mpi-deep
	to under shim_run $mpi 1 $out timeout 60 "$program" deep
	expect "$mpi deep: exit code and jumps" "$? $(cat under)" "0 deep: 50 jumps"
	check_whole "$mpi deep" $out 1
	expect_sql $out/rank-000000.db "SELECT sum(count), (SELECT value FROM run WHERE key = 'dropped_other')
		FROM call_profile WHERE call = 'MPI_Ssend'" "1000|0"

	# A child has no samples of its parent's.
	out=out-$mpi-fork
	TRYST_SAMPLE=10000
	export TRYST_SAMPLE
	to under shim_run $mpi 1 $out timeout 60 "$program" fork
	expect "$mpi fork: exit code" $? 0
	check "$mpi fork: $(cat under)" grep -q '^fork: [1-9][0-9]* children, 0 ended badly$' under
	unset TRYST_SAMPLE

	# Nobody waits for a lock that a thread has jumped out of.
	out=out-$mpi-threads
	to under shim_run $mpi 1 $out timeout 60 "$program" threads
	expect "$mpi threads: exit code" $? 0
	jumps=$(sed -n 's/^threads: \([0-9]*\) jumps$/\1/p' under)
	check "$mpi threads: $jumps jumps out of our code" test "${jumps:-0}" -ge 300
	check_whole "$mpi threads" $out 1
	expect "$mpi threads: what was cancelled is not pending" \
		"$(sql $out "SELECT count(*) <= $jumps FROM pending")" 1
done
finish
