#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# A run's directory without room for its database: the report comes all the same, and says what was full.
. "${TEST_SRC:-.}/tests/lib.sh"
need mount mount
need sqlite3 sqlite3

{ mount -t tmpfs -o size=64k none "$TEST_TMPDIR" && umount "$TEST_TMPDIR"; } 2>/dev/null || {
	unshare -rm true 2>/dev/null || skip "may not mount a small file system here"
	[ -n "$TEST_INSIDE" ] || TEST_INSIDE=1 exec unshare -rm sh "$0"
	skip "may not mount a small file system here, nor in a namespace of its own"
}
trap 'lib_rc=$?; umount -l "$TEST_TMPDIR/disk" 2>/dev/null; lib_end' EXIT

"$TEST_BUILD/tests/spoolgen" -n 4 -r 2000 -s 5 spools >/dev/null
cp -r spools rows
"$TRYST" collect rows >/dev/null
cp -rp rows merged
"$TRYST" merge merged >/dev/null
mkdir disk

# on FROM KIB: what is in FROM, on a disk with so much room left
on() {
	umount disk 2>/dev/null
	used=$(find "$1" -type f -printf '%b\n' | awk '{ n += int(($1 + 7) / 8) } END { print 4 * n }')
	mount -t tmpfs -o size=$((used + $2))k none disk || exit 1
	cp -p "$1"/* disk || exit 1
}

# reports WHAT: the report comes whole, says why it had to be elsewhere, and leaves nothing behind
reports() {
	"$TRYST" report -v disk >out 2>err
	expect "$1: exit code" $? 0
	check "$1: all ranks, from both sides" grep -q "messages seen from both sides" out
	check "$1: the reason ($(cat err))" grep -q "No space left on device" err
	expect "$1: no empty reason" "$(grep 'not an error\|rollback' err)" ""
	expect "$1: what is left behind" "$(find "$TMPDIR" -name '.tryst-scratch-*'; find disk -name "*merging*")" ""
}

for room in 0 64 300 700; do
	on rows $room
	reports "$room KiB for run.db"
	check "$room KiB: another place is named" grep -q -- "--db FILE" err
done
for room in 0 100; do
	on spools $room
	reports "$room KiB for rows"
	expect "$room KiB for rows: said once, not by rank" "$(grep -c 'is collected in' err)" 1
done

on rows 64
"$TRYST" merge disk >out 2>err
expect "merge: exit code" $? 1
check "merge names what helps" grep -q "cannot be kept there: name a place with --db" err
"$TRYST" report -v --db run.db disk >out 2>err
expect "--db: exit code" $? 0
expect "--db: said" "$(cat err)" ""

# no room for an export: whatever it had written by then, it says so, and why
for format in csv chrome otf2; do
	for room in 4 100 500; do
		umount disk
		mount -t tmpfs -o size=${room}k none disk || exit 1
		"$TRYST" export -f $format -o disk/out merged >out 2>err
		expect "export to $format, $room KiB: exit code" $? 1
		check "export to $format, $room KiB: why ($(cat err))" grep -q "^tryst export: cannot write .*: No space left on device$" err
		expect "export to $format, $room KiB: said once" "$(grep -c . err)" 1
	done
done

# the merged database has room, what was matched has not
on merged 8
"$TRYST" report -v disk >out 2>err
check "no room for matches: the reason" grep -q "No space left on device" err
check "no room for matches: what helps" grep -q "'tryst report --db FILE disk' makes its database elsewhere" err
check "no room for matches: the report of one side" grep -q "^One side of each message alone" out

# a directory that refuses: its error is told, for each rank
on spools 100
mount -o remount,ro disk || exit 1
"$TRYST" collect disk >out 2>err
expect "read-only: exit code" $? 1
for rank in 0 1 2 3; do
	check "read-only: rank $rank ($(cat err))" grep -qxF \
		"tryst collect: cannot write in 'disk': Read-only file system; rank $rank is left out" err
done
expect "read-only: nothing else is said" "$(grep -c . err)" 4
finish
