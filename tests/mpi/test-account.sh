#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=600
# Time outside MPI, in calls and in tryst is a thread's wall time, to 0.1 % by the program's own clock;
# of each op predicted + excess is blocked, exactly, and so in all sums.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# $1 MPI, $2 rank. The program's journal beside our rows: which thread has which tag is told by its
# blocking sends and receives.
account() {
	rows=$(sed 's/ /, /g; s/.*/(&)/' "journal-$1.$2" | paste -sd,)
	echo "WITH program(tag, outside, inside, calls) AS (VALUES $rows),
		numbered AS (SELECT DISTINCT thread, tag FROM op WHERE call IN ('MPI_Send', 'MPI_Recv')),
		both AS (SELECT * FROM program JOIN numbered USING (tag) JOIN thread_time USING (thread)),
		counted AS (SELECT thread, sum(count) AS n FROM call_profile
			WHERE call NOT IN ('MPI_Init_thread', 'MPI_Finalize') GROUP BY thread)"
}

# $1 MPI: how many threads are off by more than 0.1 %. The main thread's time is all of the run's.
# Another program's turn between two readings of the clock is nobody's fault, so a run may be repeated.
threads_off() {
	for r in 0 1; do
		sql "out-$1/rank-00000$r.db" "$(account "$1" $r) SELECT tag FROM both
			WHERE abs(inside - mpi_ns - tool_ns) * 1000 > wall_ns OR (tag = 0 AND
				(abs(outside_ns - outside) * 1000 > wall_ns OR
				abs(wall_ns - outside - inside) * 1000 > wall_ns))"
	done | wc -l
}

# $1 MPI: had some rank's first thread no processor for 0.1 % of its time?
busy() {
	sql "out-$1" "SELECT CAST(w.value AS INTEGER) * 1000 > CAST(e.value AS INTEGER) FROM run w, run e
		WHERE w.key = 'cpu_wait_ns' AND e.key = 'end_ns'" | grep -q 1
}

# $1 MPI, $2 threads
time_adds_up() {
	off=all
	for try in 1 2 3; do
		rm -rf "out-$1"
		check "$1: the program ends well with $2 threads, run $try" shim_run "$1" 2 "out-$1" \
			"$(mpi_program "$1" account)" "$PWD/journal-$1" "$2"
		off=$(threads_off "$1")
		[ "$off" -eq 0 ] && break
	done
	if [ "$off" -ne 0 ] && busy "$1"; then
		say "$1: this machine is too busy to judge the times of $2 threads"
	else
		expect "$1: $2 threads' times add up" "$off" 0
	fi
	for r in 0 1; do
		db=out-$1/rank-00000$r.db
		sql "$db" "$(account "$1" $r) SELECT 'rank $r thread ' || thread || ': wall', wall_ns,
			'in MPI', mpi_ns, inside, 'tryst', tool_ns, 'outside', outside_ns, outside FROM both"
		expect_sql "$db" "$(account "$1" $r) SELECT count(*), sum(calls = n) FROM both
			JOIN counted USING (thread)" "$2|$2"
		expect_sql "$db" "SELECT count(*) FROM thread_time WHERE mpi_ns + tool_ns + outside_ns <> wall_ns" 0
		# the kernel's clock ticks apart from ours, and rank 0 runs on in MPI_Finalize
		expect_sql "$db" "SELECT sum(CAST(value AS INTEGER)) > 1000000 + (SELECT CAST(value AS INTEGER) * 1.01
			FROM run WHERE key = 'end_ns') FROM run WHERE key IN ('cpu_ns', 'cpu_wait_ns')
			HAVING count(*)" "$([ -r /proc/self/schedstat ] && echo 0)"
	done
}

# In all rows, cells and messages of directory $1; a busy machine may leave a run without predictions.
excess_adds_up() {
	db=$1/run.db
	expect_sql "$db" "SELECT count(*) FROM op WHERE predicted_ns IS NOT NULL
		AND predicted_ns + excess_ns IS NOT blocked_ns" 0
	# but for cells of ops without a prediction (bit 32)
	expect_sql "$db" "SELECT count(*) FROM wait_cell WHERE predicted_ns + excess_ns <> blocked_ns
		AND NOT code >> 32 & 1" 0
	for sums in "count(*)|sum(count)" "sum(blocked_ns)|sum(blocked_ns)" \
		"total(excess_ns)|total(excess_ns)"; do
		expect_sql "$db" "SELECT rank, kind FROM (SELECT rank, kind, ${sums%|*} AS n FROM op GROUP BY 1, 2)
			JOIN (SELECT rank, kind, ${sums#*|} AS m FROM wait_profile GROUP BY 1, 2) USING (rank, kind)
			WHERE n IS NOT m" ""
	done
	# time of a call that completes several is shared anew among them, so all messages together
	expect_sql "$db" "SELECT sum(blocked_ns) - (SELECT sum(blocked_ns) FROM op) FROM exact_profile" 0
	if [ "$(sql "$db" "SELECT count(*) FROM op WHERE predicted_ns IS NULL")" -eq 0 ]; then
		predicted=$((predicted + 1))
		expect_sql "$db" "SELECT sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns + other_ns)
			- (SELECT sum(excess_ns) FROM exact_profile) FROM match" 0
	fi
}

predicted=0
for mpi in $MPIS; do
	for threads in 1 2; do
		time_adds_up "$mpi" $threads
		to said "$TRYST" analyze "out-$mpi"
		expect "$mpi: both sides of a message have its size" "$(grep -c 'different sizes' said said.err)" "said:0
said.err:0"
		expect_sql "out-$mpi/run.db" "SELECT kind, matched, sum(ops) FROM match_summary GROUP BY 1, 2" \
			"recv|1|$((120 * threads))
send|1|$((120 * threads))"
		excess_adds_up "out-$mpi"
	done
done
say "runs in which all messages had a prediction: $predicted"
finish
