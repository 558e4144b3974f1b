#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timed timeout=400
# Every op of real programs is matched or counted by reason; of a chain of waits all blame ends at
# the rank that began it, and the critical path is as long as the run.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# The parts of all waits add up to the live excess; nothing is counted twice.
conserved() {
	expect_sql "$1/run.db" "SELECT (SELECT sum(ops) FROM match_summary) =
		(SELECT count(*) FROM op_row)" 1
	expect_sql "$1/run.db" "SELECT (SELECT sum(ops) FROM match_summary WHERE matched) =
		2 * (SELECT count(*) FROM match)" 1
	expect_sql "$1/run.db" "SELECT count(*) FROM (SELECT send_key FROM match GROUP BY 1
		HAVING count(*) > 1 UNION ALL SELECT recv_key FROM match GROUP BY 1
		HAVING count(*) > 1)" 0
	expect_sql "$1/run.db" "SELECT count(*) FROM match_summary WHERE reason IN
		('not_received', 'not_sent', 'comm_unknown', 'peer_missing')" 0
	expect_sql "$1/run.db" "SELECT value FROM match_info WHERE key = 'bytes_differ'" 0
	expect_sql "$1/run.db" "SELECT (SELECT sum(late_ns + progress_ns + order_ns + flow_ns +
		contention_ns + other_ns) FROM match) IS (SELECT sum(excess_ns) FROM exact_profile) OR
		EXISTS (SELECT 1 FROM op WHERE predicted_ns IS NULL)" 1
}

# What the machine added to the chain, by the program's own log [ns]: all time that was neither to be
# computed nor waited for the sender, and by how much the ranks differed at the entry of the barrier and
# at its end. Each such ns may be a wait of every rank behind.
noise() {
	cat "$1".? | sort -n -k 2,2 -k 1,1 | awk '
		function spread(event, time) {
			first[event] = event in first && first[event] < time ? first[event] : time
			last[event] = last[event] > time ? last[event] : time
		}
		{
			wait = $1 > 0 && sent > $5 ? sent - $5 : 0
			sent = $6
			noise += $7 - $3 - $4 - wait
			if ($2 == 0)
				spread("entry", $7)
			else if ($2 == 1)
				spread("end", $3)
			else
				noise += $3 - ended[$1]
			ended[$1] = $7
		}
		END {
			printf "%.0f", 4 * (noise + last["entry"] - first["entry"] + last["end"] - first["end"])
		}'
}

late=400000000
for mpi in $MPIS; do
	out=chain-$mpi
	check "$mpi: a chain of waits ends well" \
		shim_run $mpi 4 $out "$(mpi_program $mpi chain)" log-$mpi
	check "$mpi: it is analyzed" "$TRYST" analyze $out
	noise=$(noise log-$mpi)
	echo "noise $noise ns"
	conserved $out
	expect_sql $out/run.db "SELECT count(*) FROM match" 30
	# three ranks waited for rank 0, each as long as it was late
	expect_sql $out/run.db "SELECT sum(blame_ns) FILTER (WHERE rank = 0 AND what = 'computation')
		>= 3 * $late - $noise FROM blame" 1
	expect_sql $out/run.db "SELECT coalesce(sum(blame_ns) FILTER (WHERE rank > 0 OR what = 'call'), 0)
		<= $noise FROM blame" 1
	expect_sql $out/run.db "SELECT sum(path_ns) FILTER (WHERE rank = 0 AND what = 'computation')
		>= $late - $noise FROM critical_path" 1
	expect_sql $out/run.db "SELECT abs(sum(blame_ns) - (SELECT value FROM match_info WHERE
		key = 'blame_waits_ns')) < 1000 FROM blame" 1
	expect_sql $out/run.db "SELECT abs(sum(path_ns) - (SELECT value FROM match_info WHERE
		key = 'path_run_ns')) * 100 < sum(path_ns) FROM critical_path" 1
done
finish
