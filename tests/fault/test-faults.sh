#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=600
# The table of faults: whatever the system refuses to tryst, wherever, the program runs to its end and
# prints what it did, and what is missing from the rows was said or is counted.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/fault/faults.sh"

n=2500

# One process is enough for most: fast, and every path of one rank.
faults='
malloc
mmap
mmap:ENOMEM:all
open:EMFILE
open:EACCES:all
write:ENOSPC
write:ENOSPC:all
write:EIO
write:EIO:all
write:EDQUOT:all
change:EROFS:all
read:EIO
fallocate:ENOSPC
fallocate:EOPNOTSUPP:all
ftruncate:EIO
stat:ESTALE
stat:EIO:all
rename:EROFS
unlink:EACCES:all
mkdir:EROFS
clock:-5000
clock:-3600000
clock:3600000
'

# What is broken off is gone on with: wherever it happens, nothing is lost and nothing is said.
broken_off='
open:EINTR
write:EINTR
write:signal
write:short
read:EINTR
read:short
fallocate:EINTR
ftruncate:EINTR
'
[ -z "${FAULTS-}" ] || broken_off=	# those that are named alone

# what_is_there DIR: all ops are in rows or counted as dropped; "" or what is wrong
what_is_there() {
	for db in "$1"/rank-*.db; do
		[ -f "$db" ] || { echo "no rows"; return; }
		sqlite3 -readonly -batch "$db" "PRAGMA integrity_check" 2>&1 | grep -v '^ok$'
		sqlite3 -readonly -batch "$db" "SELECT 'ops and dropped ones: ' || (n + d) FROM (SELECT
			(SELECT count(*) FROM op) AS n, (SELECT value FROM run WHERE key = 'dropped_ops') AS d)
			WHERE n + d <> $((2 * n))" 2>&1
	done
}

# tried FAULT: is the run as it must be? Sets `hit`.
tried() {
	rm -rf out log under under.err
	to under env LD_PRELOAD="$faults_library:$TRYST_LIB" TRYST_DIR=out FAULT="$1" FAULT_LOG="$PWD/log" \
		TRYST_CALIBRATE=off UCX_MEM_EVENTS=n UCX_MEM_MMAP_HOOK_MODE=none "$program" end $n
	code=$?
	hit=
	[ -s log ] && hit=1
	if [ $code -ne 0 ] || [ "$(cat under)" != "rank 0 done $n" ]; then
		fail "$what $1: exit code $code, printed '$(cat under)': $(cat under.err)"
		return
	fi
	lines=$(grep -c '^tryst: ' under.err)
	[ "$lines" -le 4 ] || fail "$what $1: $lines lines are said: $(cat under.err)"
	if [ -n "$whole" ]; then
		[ "$lines" = 0 ] || fail "$what $1: it is said: $(cat under.err)"
		"$TRYST" collect out >collected 2>&1
		wrong=$(sql out 'SELECT count(*) FROM op' 2>&1)
		[ "$wrong" = $((2 * n)) ] || fail "$what $1: rows of $((2 * n)) ops: '$wrong': $(cat collected)"
		grep -qx 'tryst run [0-9a-f]\{16\}' out/tryst.run || fail "$what $1: the claim is '$(cat out/tryst.run)'"
		return
	fi
	[ -d out ] || { [ "$lines" -ge 1 ] || fail "$what $1: nothing is recorded, nothing is said"; return; }
	cp -r out got
	"$TRYST" collect got >collected 2>&1
	[ -n "$(find got -name 'rank-*')" ] || {
		[ "$lines" -ge 1 ] || fail "$what $1: nothing is recorded, nothing is said"
		rm -rf got
		return
	}
	wrong=$(what_is_there got)
	rm -rf got
	# What could not be kept at all was said.
	[ -z "$wrong" ] || [ "$lines" -ge 1 ] || fail "$what $1: $wrong; nothing was said"
	case $wrong in
	'' | 'ops and dropped ones: '*) ;;
	*) fail "$what $1: $wrong: $(cat collected)" ;;
	esac
}

# MPICH starts alone in no time; Open MPI's way through us is the same. The library would catch calls of
# mmap() before the one that makes faults.
for mpi in $MPIS; do :; done
program=$(mpi_program "$mpi" doomed)
what=$mpi
whole=
for fault in ${FAULTS:-$faults}; do
	sweep "$mpi" "$fault"
done
# time goes back while it is measured how fast the processor's counter is
tried clock:1000:-3600000

whole=y
for fault in $broken_off; do
	sweep "$mpi" "$fault"
done
# SQLite writes nothing here: what is left is ours, and few enough to be tried one by one.
FAULTS_MAX=1000 TRYST_ROWS=later
export TRYST_ROWS
for fault in $broken_off; do
	sweep "$mpi, rows later" "$fault"
done
finish
