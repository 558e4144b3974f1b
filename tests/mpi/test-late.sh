#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=300
# Who comes late to a collective is found, whoever waited for it: no wait is longer than the ranks were in
# the calls, the blame ends at the late rank, and the critical path is as long as the run.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# late MPI CALL RANK RANKS STATES [barrier]: RANKS waited for RANK, in STATES.
late() {
	out=$1-$2-$3$6
	check "$out: the program ends well" to truth shim_run $1 4 $out "$(mpi_program $1 late)" $2 $3 $6
	check "$out: it is analyzed" "$TRYST" analyze $out
	# of 500 ms slept, two fifths may be lost to a machine that keeps ranks from running
	expect_sql $out/run.db "SELECT group_concat(rank) FROM (SELECT rank FROM collective_wait
		WHERE late_rank = $3 AND call NOT LIKE '%arrier' GROUP BY rank
		HAVING sum(wait_ns) > 300000000 ORDER BY rank)" "$4"
	expect_sql $out/run.db "SELECT group_concat(state) FROM (SELECT state FROM collective_wait
		WHERE late_rank = $3 AND call NOT LIKE '%arrier' GROUP BY state
		HAVING sum(wait_ns) > 100000000 ORDER BY state)" "$5"
	while read -r rank ns; do
		expect_sql $out/run.db "SELECT coalesce(sum(wait_ns), 0) <= $ns FROM collective_wait
			WHERE rank = $rank AND call NOT LIKE '%arrier'" 1
	done <truth
	expect_sql $out/run.db "SELECT sum(blame_ns) FILTER (WHERE rank = $3 AND what = 'computation') >=
		0.6 * sum(blame_ns) FROM blame" 1
	expect_sql $out/run.db "SELECT sum(path_ns) FILTER (WHERE rank = $3 AND what = 'computation')
		> 300000000 FROM critical_path" 1
	expect_sql $out/run.db "SELECT abs(sum(path_ns) - (SELECT value FROM match_info WHERE
		key = 'path_run_ns')) * 100 <= sum(path_ns) FROM critical_path" 1
	expect_sql $out/run.db "SELECT value > 450000000 FROM match_info WHERE key = 'path_run_ns'" 1
}

for mpi in $MPIS; do
	late $mpi reduce 1 0 late_member
	late $mpi gatherv 2 0 late_member barrier
	late $mpi dup 1 0,2,3 wait_at_nxn
	late $mpi split 3 0,1,2 wait_at_nxn
	check "$mpi: the report tells" to report "$TRYST" report -v --width 999 $mpi-gatherv-2barrier
	check "$mpi: it is the problem" grep -q '^Verdict: .*% of the ranks. time is waiting' report
	check "$mpi: also where a communicator is made" sh -c '"$1" report -v --width 999 "$2" >report-2 &&
		grep -q "^Verdict: .*% of the ranks. time is waiting, .*late ranks in collectives of all; most in MPI_Comm_dup" report-2 &&
		grep -q "MPI_Comm_dup *wait_at_nxn .* 1$" report-2 && ! grep -q "^  in other calls" report-2' sh "$TRYST" $mpi-dup-1
	check "$mpi: of that root" grep -q 'MPI_Gatherv *late_member .* 2$' report
done
# In Open MPI's trees a rank that only sends, or receives from who is late, waits as well; in MPICH's, too,
# but there its ranks spin on more processors than there may be.
for mpi in $MPIS; do
	[ $mpi = openmpi ] || continue
	late $mpi bcast 1 3 late_member barrier
	late $mpi reduce 3 0,1 late_member barrier
	late $mpi ireduce 2 0 late_member
	late $mpi scatter 0 1,2,3 late_broadcast
	late $mpi scan 1 2,3 early_scan
	# rank 3 waits for those who waited for rank 1
	late $mpi neighbor 1 0,2 late_member
done
finish
