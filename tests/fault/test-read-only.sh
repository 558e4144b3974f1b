#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# A file system turns read-only while the program runs, as ext4 does after an error. The program runs on, each
# rank prints one line, and rows and dropped ops add up to all that it did.
. "${TEST_SRC:-.}/tests/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can mount a file system"
PATH=$PATH:/usr/sbin:/sbin # that of a user who became root may lack them
need sqlite3 sqlite3
need losetup mount
need mkfs.ext4 e2fsprogs

# on a busy machine the program writes for a while before it is seen to write
truncate -s 2G image
mkfs.ext4 -q -e remount-ro image || exit 1
device=$(losetup -f --show image 2>/dev/null) || skip "no loop device can be made here"
trap 'lib_rc=$?; umount -l disk 2>/dev/null; losetup -d "$device"; lib_end' EXIT
mkdir disk
mount "$device" disk 2>/dev/null || skip "may not mount a file system here"
trigger=/sys/fs/ext4/${device##*/}/trigger_fs_error
[ -w "$trigger" ] || skip "this kernel cannot be told to fail a file system"

both_write() {
	[ "$(find "$1" -name '*.spool' -size +200k 2>/dev/null | wc -l)" = 2 ]
}

both_said() {
	[ "$(grep -c 'only profiles are kept' under.err)" = 2 ]
}

for mpi in $MPIS; do
	DOOMED=$PWD/doomed-$mpi
	export DOOMED
	mkdir "$DOOMED"
	wait_until 10 umount disk 2>/dev/null
	mount "$device" disk || exit 1
	# the limit of rows must not come first, however late this test gets its turn
	shim_run $mpi 2 disk/out-$mpi TRYST_MAX_OPS=10000000 "$(mpi_program $mpi doomed)" run >under 2>under.err &
	launcher=$!
	wait_until 30 both_write disk/out-$mpi
	sync
	echo "seen by the test" >"$trigger"
	check "$mpi: it is read-only" sh -c '! touch disk/new 2>/dev/null'
	wait_until 30 both_said
	sleep 0.5
	kill -9 "$(cat "$DOOMED/pid-0")" "$(cat "$DOOMED/pid-1")"
	wait $launcher
	expect "$mpi: a line a rank ($(cat under.err))" "$(grep '^tryst: ' under.err | grep -c \
		'Read-only file system; from here on only profiles are kept') $(grep -c '^tryst: ' under.err)" "2 2"
	cp -r disk/out-$mpi got-$mpi
	check "$mpi: a copy of the records is collected" to collect "$TRYST" collect got-$mpi
	for r in 0 1; do
		db=got-$mpi/rank-00000$r.db
		did=$(od -An -t u8 "$DOOMED/log-$r" | awk '{ print $1 + $2 }')
		expect_sql $db "PRAGMA integrity_check" ok
		beyond=$(sql $db "SELECT (SELECT count(*) FROM op) + (SELECT value FROM run WHERE key = 'dropped_ops') - $did")
		check "$mpi: rank $r: rows and dropped ops are all of $did, or two that had begun ($beyond more)" \
			test "$beyond" -ge 0 -a "$beyond" -le 2
	done
	"$TRYST" report --width 999 -s losses got-$mpi >losses 2>&1
	check "$mpi: the report says what was not recorded ($(cat losses))" grep -q '^! .*rows of ops were not recorded' losses
done
finish
