#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timed timeout=400
# A job that hangs shows what each rank waits for, while it hangs and after it was ended.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# Each rank's call, its peer, tag, size, age and line.
tells() {
	for rank in 0 1; do
		check "$mpi: the report tells what rank $rank waits for, for how long and where" grep -qE \
			"^rank $rank in MPI_Recv from rank $((1 - rank)), tag 4242, 4 B$1: wait_for_ever doomed\.c:[0-9]+\$" \
			report
	done
}

# did MESSAGES RANK: has the rank done so many?
did() {
	[ "$(od -An -t u8 "$DOOMED/log-$2" 2>/dev/null | awk '{ print $2 }')" = "$1" ]
}

# Both ranks have done their $1 messages, a second ago; the next call is the one that does not return.
until_both_hang() {
	wait_until 30 did "$1" 0 && wait_until 30 did "$1" 1
	sleep 1
}

both_start() {
	[ "$(find "$1" -name '*.ring' 2>/dev/null | wc -l)" = 2 ] && [ -d "$1/started" ]
}

# A run in which a rank does what MPI refuses, which ends the job.
ends_itself() {
	rm "$DOOMED"/*
	shim_run $mpi 2 $1-$mpi "$(mpi_program $mpi doomed)" $1 100 >stdout-$mpi 2>&1
	# MPICH's launcher may come back before the last rank has ended; that of 4.2 leaves the rank that waits behind, bare too.
	for turn in $(seq 1 50); do
		"$TRYST" report -v --width 999 $1-$mpi >report 2>&1
		grep -q "still running" report || return
		sleep 0.2
		# shellcheck disable=SC2046 # process ids
		[ $turn -ne 25 ] || kill -9 $(sql "$1-$mpi" "SELECT value FROM run WHERE key = 'pid'") 2>/dev/null
	done
}

# The program in mode $1, its records in $1-$mpi.
hang_and_kill() {
	rm "$DOOMED"/*
	shim_run $mpi 2 "$1-$mpi" "$(mpi_program $mpi doomed)" "$1" 100 >stdout-$mpi 2>&1 &
	launcher=$!
	until_both_hang 100
	kill -9 "$(cat "$DOOMED/pid-0")" "$(cat "$DOOMED/pid-1")"
	wait $launcher
}

for mpi in $MPIS; do
	DOOMED=$PWD/d-$mpi
	export DOOMED
	mkdir "$DOOMED"
	shim_run $mpi 2 out-$mpi "$(mpi_program $mpi doomed)" hang 100 >stdout-$mpi 2>&1 &
	launcher=$!
	until_both_hang 100
	check "$mpi: collect while it hangs" to collect "$TRYST" collect out-$mpi
	expect_sql out-$mpi "SELECT kind, call, peer, tag, in_call FROM pending" "recv|MPI_Recv|1|4242|1
recv|MPI_Recv|0|4242|1"
	expect_sql out-$mpi "SELECT count(*) FROM op WHERE tag < 4242 AND complete_leave_ns IS NOT NULL" "200
200"
	expect_sql out-$mpi "SELECT value FROM run WHERE key = 'unfinished'" "1
1"
	expect_sql out-$mpi "SELECT age_ns > 900000000 FROM pending" "1
1"
	expect "$mpi: rings of a living job are left alone" "$(find out-$mpi -name '*.ring' | wc -l)" 2
	expect "$mpi: the call is named with its line" "$(sql out-$mpi \
		"SELECT function LIKE 'wait_for_ever%', file LIKE '%doomed.c', line > 0 FROM pending")" "1|1|1
1|1|1"
	check "$mpi: report while it hangs" to report "$TRYST" report -v --width 400 out-$mpi
	tells ", for at least [0-9.]+ m?s"
	check "$mpi: the verdict begins with the calls that have not returned" grep -qE "^Verdict: 2 of 2 ranks are inside \
MPI calls that have not returned, the longest for at least [0-9.]+ m?s\. (2 ranks wait for each other in a ring\. .*)?See PENDING\." report
	check "$mpi: the critical path ends in them" grep -qE \
		"rank [01] in MPI_Recv at wait_for_ever doomed\.c:[0-9]+ \(not returned\)" report
	check "$mpi: they are time in MPI" to time "$TRYST" report -f csv -s time out-$mpi
	expect "$mpi: of both ranks, since they were entered" "$(awk -F, '$2 == "in MPI" { mpi = $3 }
		$2 == "not returned" { print ($5 > 900000000), (mpi >= $3) }' time)" "1 1"
	sleep 5
	check "$mpi: report when it has hung for long" to report "$TRYST" report -v --width 400 out-$mpi
	check "$mpi: who waits for whom is named then" grep -q "2 ranks wait for each other in a ring\. Rank" report
	kill -9 "$(cat "$DOOMED/pid-0")" "$(cat "$DOOMED/pid-1")"
	wait $launcher
	: >"out-$mpi/rank-000000.db.new-$(hostname)-$(cat "$DOOMED/pid-0")"
	check "$mpi: collect after it was ended" to collect "$TRYST" collect out-$mpi
	expect "$mpi: half a file of a killed writer goes" "$(find out-$mpi -name '*.new-*')" ""
	expect_sql out-$mpi "SELECT age_ns > 900000000 FROM pending" "1
1"
	expect_sql out-$mpi "SELECT kind, call, peer, tag, in_call FROM pending" "recv|MPI_Recv|1|4242|1
recv|MPI_Recv|0|4242|1"
	check "$mpi: report" to report "$TRYST" report -v --width 400 out-$mpi
	expect "$mpi: what was seen while it hung is not forgotten" "$("$TRYST" report -f csv -s time out-$mpi |
		awk -F, '$2 == "not returned" { print ($5 > 900000000) }')" 1
	check "$mpi: neither by the verdict" grep -qE "never returned, the longest for at least [0-9.]+ m?s\. 2 ranks" report
	check "$mpi: a replay says so" sh -c '"$1" predict --width 400 -s run "$2" | grep -q "^ *2 ranks had not returned from an MPI call"' \
		sh "$TRYST" out-$mpi
	check "$mpi: so do its efficiencies" sh -c '"$1" predict --width 400 -s efficiency "$2" |
		grep -q "^2 ranks had not returned from an MPI call: the efficiencies"' sh "$TRYST" out-$mpi
	expect "$mpi: and they take no such call for computation" "$("$TRYST" predict -f csv -s efficiency out-$mpi |
		awk -F, '$2 == "parallel" { print ($5 - $4 > 900000000) }')" 1
	tells "(, for at (least [0-9.]+ [mun]?s(, at most [0-9.]+ m?s)?|most [0-9.]+ [mun]?s))?"
	check "$mpi: the verdict names who waits for whom" grep -q \
		"Rank 0 waits in MPI_Recv from rank 1, tag 4242\. Rank 1 waits in MPI_Recv from rank 0, tag 4242\." report

	# A message that is too long ends the job by itself: rank 1 would receive 4 B of 400.
	ends_itself longer
	receive="rank 1 in MPI_Recv from rank 0, tag 4242"
	sent="while rank 0 sent 400 B (MPI_Send at send_more doomed\.c:[0-9]*), more than there is room for"
	check "$mpi: the verdict names it" grep -q "^Verdict: .* never returned.*\. Rank 1 waits in ${receive#rank 1 in }\. But ${sent#while }\." report
	check "$mpi: so does what is pending" grep -q "^$receive, $sent, 4 B" report
	check "$mpi: also for programs" sh -c '"$1" report -f csv -s pending "$2" | grep -q "^pending,1,MPI_Recv,.*,\"$3\"$"' sh \
		"$TRYST" longer-$mpi "$sent"

	# So does one to a rank that is not there.
	ends_itself nobody
	why="to rank 4242, where MPI_COMM_WORLD has 2: an error that ends the job"
	check "$mpi: the verdict names the call" grep -q "^Verdict: .* never returned.*\. Rank 0 called MPI_Send $why\." report
	check "$mpi: so does what is pending, once" grep -q "^rank 0 in MPI_Send, tag 1, $why, 4 B.*: main doomed\.c:[0-9]*$" report
	expect_sql nobody-$mpi "SELECT call, peer, not_there FROM in_call" "MPI_Send||4242
MPI_Recv|0|"

	# the same in probes, as python's recv() makes them
	hang_and_kill probe
	check "$mpi: report on probes" to report "$TRYST" report -v --width 400 probe-$mpi
	check "$mpi: what a probe waits for is told" grep -q "^rank 0 in MPI_Probe from rank 1, any tag.*: probe_for_ever" report
	check "$mpi: also from any rank" grep -q "^rank 1 in MPI_Mprobe from any rank, tag 4242.*: probe_for_ever" report
	expect_sql probe-$mpi "SELECT call, peer, tag, comm FROM pending" "MPI_Probe|1|-1|1
MPI_Mprobe||4242|1"

	# One library is enough for the rest: waits are found alike with each.
	[ $mpi = "${MPIS##* }" ] || continue

	# Who polls is in a call that began just before: rows of 20,000 messages take longer to make than that lasts.
	rm "$DOOMED"/*
	shim_run $mpi 2 poll-$mpi "$(mpi_program $mpi doomed)" poll 10000 >stdout-$mpi 2>&1 &
	launcher=$!
	until_both_hang 10000
	least=
	for _ in 1 2 3 4 5; do
		check "$mpi: collect while one polls" to collect "$TRYST" collect poll-$mpi
		age=$(sql poll-$mpi/rank-000000.db "SELECT coalesce(max(age_ns), 0) FROM in_call WHERE call = 'MPI_Iprobe'")
		[ "$age" -gt "${least:-9999999999}" ] || least=$age
	done
	check "$mpi: who polls is not said to be in one call for long ($least ns)" [ "$least" -lt 20000000 ]
	expect_sql poll-$mpi/rank-000001.db "SELECT call, age_ns > 900000000 FROM in_call" "MPI_Recv|1"
	kill -9 "$(cat "$DOOMED/pid-0")" "$(cat "$DOOMED/pid-1")"
	wait $launcher

	# a message that came with another tag than is waited for, by a rank that waits for a request
	hang_and_kill other
	check "$mpi: report on a wrong tag" to report "$TRYST" report -v --width 999 other-$mpi
	receive="rank 0 in MPI_Recv from rank 1, tag 4242"
	sent="(MPI_Send at send_other doomed\.c:[0-9]*)"
	check "$mpi: the verdict names both tags" grep -q "^Verdict: .* never returned.*\. Rank 0 waits in ${receive#rank 0 in }\. But rank 1 sent tag 2424 $sent\." \
		report
	check "$mpi: and the circle" grep -q "^Verdict: .* wait for each other in a ring\. Rank 0 waits in ${receive#rank 0 in }\. \
Rank 1 waits in MPI_Wait for MPI_Irecv from rank 0, tag 4242\." report
	check "$mpi: so does what is pending" grep -q "^$receive, while rank 1 sent tag 2424 $sent, 4 B" report
	# the same message over another communicator, or from another rank
	sqlite3 other-$mpi/run.db "INSERT INTO comm_row (rank, comm, uid, size, my_rank, name) VALUES (1, 99, 4711, 2, 1, 'elsewhere');
		UPDATE op_row SET tag = 4242, comm = 99 WHERE id IN (SELECT id FROM alone_row)"
	check "$mpi: another communicator is named" sh -c '"$1" report --width 999 -s verdict "$2" | grep -q "$3"' sh "$TRYST" \
		other-$mpi/run.db "Rank 0 waits in ${receive#rank 0 in }\. But rank 1 sent that over elsewhere $sent"
	sqlite3 other-$mpi/run.db "UPDATE op_row SET comm = 1 WHERE id IN (SELECT id FROM alone_row);
		UPDATE op_row SET peer = 0 WHERE id >> 40 = 0 AND done = 0"
	check "$mpi: another rank is" sh -c '"$1" report --width 999 -s verdict "$2" | grep -q "$3"' sh "$TRYST" \
		other-$mpi/run.db "Rank 0 waits in MPI_Recv from rank 0, tag 4242\. But rank 1 sent that $sent"

	# and in a collective that not all have called
	hang_and_kill apart
	check "$mpi: report on collectives" to report "$TRYST" report -v --width 400 apart-$mpi
	check "$mpi: who is missing in which is told" grep -q \
		"^rank 0 in MPI_Barrier #1 of work, not begun by rank 1.*: meet_nobody" report
	expect_sql apart-$mpi "SELECT kind, call, in_call, op_id, (SELECT seq FROM in_call) FROM pending" \
		"collective|MPI_Barrier|1|1|1
recv|MPI_Recv|1|201|"
done
# Looked at before MPI_Init has ended: there is no time 0 yet. Rank 1 is held up where all others wait for it.
cat >slow.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int rename(const char *from, const char *to)
{
	if (strstr(to, "/started/"))
		sleep(600);
	return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
END
# shellcheck disable=SC2086 # a command with options
check "a library that holds up tryst's start" $cc -shared -fPIC -o slow.so slow.c -ldl
for mpi in ${MPIS##* }; do
	starts_several $mpi || continue
	DOOMED=$PWD/s-$mpi
	mkdir "$DOOMED"
	program=$(mpi_program $mpi doomed)
	mpi_run $mpi 1 "$TRYST" run -o starts-$mpi --calibrate off "$program" end 100 : \
		-np 1 env LD_PRELOAD="$PWD/slow.so" "$TRYST" run -o starts-$mpi --calibrate off "$program" end 100 \
		>stdout-$mpi 2>&1 &
	launcher=$!
	wait_until 30 both_start starts-$mpi
	sleep 1
	"$TRYST" report -v --width 400 starts-$mpi >report
	check "$mpi: ranks in MPI_Init are said to be there" grep -q "^! ranks 0,1: in MPI_Init: nothing is recorded" report
	check "$mpi: and nothing else of them" grep -q "^Verdict: no rank has left MPI_Init yet: of waits nothing is known" report
	expect_sql starts-$mpi "SELECT value FROM run WHERE key = 'end_ns'" "0
0"
	# shellcheck disable=SC2046 # process ids
	kill -9 $(sql starts-$mpi "SELECT value FROM run WHERE key = 'pid'")
	wait $launcher
	"$TRYST" report -v --width 400 starts-$mpi >report
	check "$mpi: that they ended there is told" grep -q "^! ranks 0,1: ended in MPI_Init: nothing was recorded" report
	expect_sql starts-$mpi "SELECT value FROM run WHERE key = 'end_ns'" "0
0"
done
finish
