#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# A rank that was killed while MPI_Init made its files ended in MPI_Init; the others are told as ever.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

spoolgen=$TEST_BUILD/tests/spoolgen

# killed HOW DIR RANK...: those ranks' files as a kill at that point leaves them
killed() {
	how=$1
	dir=$2
	shift 2
	for rank in "$@"; do
		ring=$dir/rank-00000$rank.ring
		rm "$dir/rank-00000$rank.spool"
		case $how in
		empty) : >"$ring" ;;
		cut) truncate -s 100 "$ring" ;;
		headless) head -c 65536 /dev/zero >"$ring" ;;
		*) # the head alone, of a process that has ended: no time 0, no regions (struct ring_file)
			head -c 65536 "dead/rank-00000$rank.ring" >"$ring"
			printf '\0\0\0\0\0\0\0\0' | dd of="$ring" bs=1 seek=152 conv=notrunc 2>/dev/null
			printf '\0\0\0\0' | dd of="$ring" bs=1 seek=236 conv=notrunc 2>/dev/null
			[ $how = head ] || : >"$dir/rank-00000$rank.spool"
			;;
		esac
		touch -d '10 minutes ago' "$ring"
	done
}

# tells DIR LOSSES: the report ends well, and of losses says these alone
tells() {
	check "$1: the report is made" to report "$TRYST" report -v --width 200 "$1"
	expect "$1: nothing is said beside it" "$(cat report.err)" ""
	expect "$1: losses" "$(grep '^!' report)" "$2"
}

"$spoolgen" -n 4 -r 200 four >/dev/null
"$spoolgen" -n 4 -r 200 -o dead >/dev/null
"$spoolgen" -n 1 -r 20 one >/dev/null
for how in empty cut headless head spool; do
	cp -r four some-$how
	killed $how some-$how 2
	tells some-$how "! rank 2: ended in MPI_Init: nothing was recorded
! 8 collectives lack members"
	check "$how: the program is known" grep -qx simulated report
	check "$how: all four ranks are" grep -q '^4 of 4 ranks' report
	check "$how: the verdict tells of the others" grep -q '^Verdict: the job did not come to its end\. .*is waiting' report
	expect "$how: its table run" "$("$TRYST" sql -f csv some-$how "SELECT key, value FROM run WHERE rank = 2 AND key IN
		('in_init', 'process', 'unfinished', 'clean_finalize', 'ring_missing', 'spool_missing', 'op_rows') ORDER BY 1" |
		tail -n +2)" "clean_finalize,0
in_init,1
op_rows,0
process,dead
unfinished,0"
	expect "$how: others have their rows" "$("$TRYST" sql -f csv some-$how \
		"SELECT rank, count(*) FROM op GROUP BY 1" | tail -n +2)" "0,384
1,384
3,384"
	expect "$how: no ring, spool or temporary file stays" "$(find some-$how -name 'rank-*' ! -name '*.db')" ""
	cp -r four all-$how
	killed $how all-$how 0 1 2 3
	tells all-$how "! ranks 0-3: ended in MPI_Init: nothing was recorded"
	case $how in
	head | spool) where=" on 1 host" ;;
	*) where= ;;
	esac
	expect "$how: all: what is known of it" "$(sed -n 2p report)" "4 of 4 ranks$where; MPI_Init returned on none of them"
	check "$how: all: the verdict says so" grep -q '^Verdict: no rank came out of MPI_Init: of waits nothing is known\.' report
	cp -r one one-$how
	killed $how one-$how 0
	tells one-$how "! rank 0: ended in MPI_Init: nothing was recorded"
	check "$how: the only one: the verdict says so" grep -q '^Verdict: no rank came out of MPI_Init: of waits' report
done

# their marks tell program and hosts
cp -r all-empty marked
rm -f marked/run.db
mkdir -p marked.started/job
for pid in 1 2 3 4; do
	printf 'host=h%d\npid=%d\nprogram=simulated\njob=job\n' $((pid % 2)) $pid >marked.started/job/h-$pid
done
to report "$TRYST" report -v --width 200 marked
expect "with marks: program and hosts" "$(head -n 2 report)" "simulated
4 of 4 ranks on 2 hosts; MPI_Init returned on none of them"

# without a head nothing tells which process writes it, but one of this machine has it open
cp -r four young
killed empty young 2
touch young/rank-000002.ring
tells young "! rank 2: ended in MPI_Init: nothing was recorded
! 8 collectives lack members"
check "a ring without a head stays while it is young" test -f young/rank-000002.ring
cp -r four written
killed empty written 2
exec 3>>written/rank-000002.ring
touch written/rank-000002.ring
check "a report while a process has it open" to report "$TRYST" report -v --width 200 written
check "it is told as running" grep -q '^! rank 2: in MPI_Init: nothing is recorded before it returns' report
check "its ring stays" test -f written/rank-000002.ring
exec 3>&-
# the process goes on: its records replace what was told of it, of whatever run that was
cp four/rank-000002.ring four/rank-000002.spool written
tells written ""
expect "its rows are there" "$("$TRYST" sql -f csv written "SELECT count(*) FROM op WHERE rank = 2" | tail -n +2)" 384

# a ring that is lost is told as lost
cp -r four lost
: >lost/rank-000002.ring
check "a report without a ring" to report "$TRYST" report -v --width 200 lost
check "it is told as lost" grep -q '^! rank 2: the ring is missing or damaged' report
check "not as still in MPI_Init" sh -c '! grep -q "in MPI_Init" report'

# one that came not even to its ring is a process that is not recorded
cp -r four none
rm none/rank-000002.*
mkdir -p none/started none.started/job
for pid in 1 2 3; do
	printf 'host=h\npid=%d\nprogram=simulated\njob=job\n' $pid >none/started/h-$pid
done
printf 'host=h\npid=4\nprogram=simulated\njob=job\n' >none.started/job/h-4
to report "$TRYST" report -v --width 200 none
expect "a report without one rank's files: its exit code" $? 1
check "its process is told" grep -q '^! 1 of 4 processes that tryst run started is not recorded: it ended before MPI_Init' report
check "and its rank" grep -q '^! rank 2: left no file: nothing is known' report
# two of them
cp -r none two
cp -r none.started two.started
rm two/run.db two/rank-000001.*
mv two/started/h-3 two.started/job
to report "$TRYST" report -v --width 200 two
check "two are told as such" grep -q '^! 2 of 4 processes that tryst run started are not recorded: each ended before MPI_Init' \
	report
finish
