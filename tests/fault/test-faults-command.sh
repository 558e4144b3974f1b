#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# The table of faults against the commands: each ends by itself, says what failed where it fails, leaves
# nothing half done, and does its work once the fault is gone.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/fault/faults.sh"
need sqlite3 sqlite3

"$TEST_BUILD/tests/spoolgen" -n 2 -r 120 -s 11 -o made >/dev/null || exit 1
cp -r made whole
"$TRYST" collect whole >/dev/null

# together QUERY: of both ranks' rows in run, as r0 and r1, those that are there
together() {
	attached=
	for rank in 0 1; do
		[ ! -f run/rank-00000$rank.db ] || attached="${attached}ATTACH 'run/rank-00000$rank.db' AS r$rank; "
	done
	sqlite3 -readonly -batch :memory: "$attached$1" 2>&1
}
both_counts='SELECT (SELECT count(*) FROM r0.op), (SELECT count(*) FROM r1.op)'
cp -r whole run
ops=$(together "$both_counts")
check "there are ops to compare: $ops" sh -c 'case $1 in [1-9]*"|"[1-9]*) ;; *) exit 1 ;; esac' sh "$ops"
cp -r whole merged
"$TRYST" merge merged >/dev/null

faults='malloc malloc:all open:EMFILE open:EACCES:all write:ENOSPC write:ENOSPC:all write:short write:EINTR read:EIO
read:EIO:all read:short lock:EAGAIN:all rename:EROFS unlink:EACCES:all stat:EIO'

# tried FAULT: $command on a copy of $from
tried() {
	rm -rf run log home/.cache
	cp -r "$from" run
	hit=
	# shellcheck disable=SC2086
	LD_PRELOAD=$faults_library FAULT=$1 FAULT_LOG=$PWD/log timeout 60 "$TRYST" $command >out 2>err
	code=$?
	[ -s log ] && hit=1
	case $code in
	0) ;;
	1 | 2) [ -s err ] || fail "tryst $command, $1: exit code $code, and nothing is said" ;;
	*) fail "tryst $command, $1: exit code $code: $(head -c 300 err)" ;;
	esac
	got=$(together 'PRAGMA integrity_check')
	[ "$got" = ok ] || fail "tryst $command, $1: a rank's file is damaged: $got"
	# shellcheck disable=SC2086
	"$TRYST" $command$less >out 2>err || fail "tryst $command, after $1: $(head -c 300 err)"
	[ "$from $command" != 'made report run' ] || "$TRYST" collect run >/dev/null 2>&1
	got=$(together "$both_counts")
	[ "$got" = "$ops" ] || fail "tryst $command, $1: ops $got, there were $ops"
	for got in run/*.new-* run/*/*.new-*; do
		[ ! -e "$got" ] || fail "tryst $command, $1: left behind: $got"
	done
}

for work in 'made collect run' 'made report run' 'whole merge run' 'merged report run' 'whole analyze run'; do
	from=${work%% *}
	command=${work#* }
	less=
	# one section shows that it works again; at length it is all of them
	[ "$command" != 'report run' ] || [ "$FAULTS_MAX" -gt 2 ] || less=' -s losses'
	for fault in ${FAULTS:-$faults}; do
		# Their first calls are those of collect and merge, which are tried above, one by one.
		case $work:$fault in
		*:*:all) ;;
		'made report'* | 'whole analyze'*) [ -n "${FAULTS-}" ] || [ "$FAULTS_MAX" -gt 2 ] || continue ;;
		esac
		sweep "tryst $command" "$fault"
	done
	[ -z "${FAULTS-}" ] || continue
	# collecting alone leaves nothing to cut off, and neither it nor merging syncs
	[ "$command" = 'collect run' ] || sweep "tryst $command" ftruncate:EIO
	case $command in
	'report run' | 'analyze run')
		sweep "tryst $command" sync:EIO
		sweep "tryst $command" sync:EIO:all
		;;
	esac
done

# All that reading a rank's ring needs memory for.
from=made command='collect run'
for at in 4 5 6 7 8 9; do
	# shellcheck disable=SC2218 # the one above; there is another one below
	tried malloc:$at
done

# A rank's file that cannot be read is left out, and merging waits until it can be.
cp -r whole unread
unreadable() {
	rm -f log
	LD_PRELOAD=$faults_library FAULT=read:1+:EIO FAULT_FILE=/rank-000001.db FAULT_LOG=$PWD/log \
		"$TRYST" merge unread >out.txt 2>&1
	expect "$1" $? 1
	check "a fault came" [ -s log ]
}
unreadable "a file that cannot be read is told by the exit code"
expect_sql unread/run.db "SELECT state, mtime_ns FROM input WHERE rank = 1" "left_out|"
sqlite3 unread/run.db "UPDATE run SET value = 'as it was' WHERE rank = 0 AND key = 'program'"
unreadable "so it is again"
expect_sql unread/run.db "SELECT count(*) FROM run WHERE value = 'as it was'" 1
check "until it can be read" to out.txt "$TRYST" merge unread
expect_sql unread/run.db "SELECT count(*) FROM input WHERE state = 'whole'" 2

# An export that is not whole says so.
"$TRYST" export -f csv -o whole.csv merged >/dev/null
tried() {
	rm -rf part.csv log
	hit=
	LD_PRELOAD=$faults_library FAULT=$1 FAULT_LOG=$PWD/log timeout 60 "$TRYST" export -f csv -o part.csv merged >out 2>err
	code=$?
	[ -s log ] && hit=1
	case $code in
	0) diff -r whole.csv part.csv >err 2>&1 || fail "tryst export, $1: exit code 0, but $(head -n 1 err)" ;;
	1 | 2)
		[ -s err ] || fail "tryst export, $1: exit code $code, and nothing is said"
		case $1 in *:short | *:EINTR) fail "tryst export, $1: is not gone on with" ;; esac
		;;
	*) fail "tryst export, $1: exit code $code: $(head -c 300 err)" ;;
	esac
}
for fault in ${FAULTS:-malloc malloc:all open:EMFILE open:EACCES:all write:ENOSPC write:ENOSPC:all write:short \
	write:EINTR read:EIO read:EIO:all read:short lock:EAGAIN:all}; do
	sweep "tryst export" "$fault"
done
finish
