#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# tests/run: what a test leaves behind that is ended by its time limit.
. "${TEST_SRC:-.}/tests/lib.sh"
need mount mount

mkdir mounted
{ mount -t tmpfs -o size=64k none mounted && umount mounted; } 2>/dev/null || {
	unshare -rm true 2>/dev/null || skip "may not mount a small file system here"
	[ -n "$TEST_INSIDE" ] || TEST_INSIDE=1 exec unshare -rm sh "$0"
	skip "may not mount a small file system here, nor in a namespace of its own"
}

# It mounts one file system in another, starts a process in a session of its own, and hears no signal.
cat >hangs.sh <<'END'
# test: timeout=1
trap '' TERM
echo "$TEST_TMPDIR" >"$NOTES/place"
mkdir "$TEST_TMPDIR/disk"
mount -t tmpfs -o size=64k none "$TEST_TMPDIR/disk"
mkdir "$TEST_TMPDIR/disk/inner"
mount -t tmpfs -o size=64k none "$TEST_TMPDIR/disk/inner"
grep -c " $TEST_TMPDIR/" /proc/self/mounts >"$NOTES/mounts"
setsid sleep 1000 &
echo $! >"$NOTES/process"
while :; do sleep 1; done
END
NOTES=$PWD TEST_LONG='' TEST_VERBOSE='' sh "$TEST_SRC/tests/run" "$PWD/hangs.sh" >out 2>&1
expect "a test that is not done has failed" $? 1
check "that is said" grep -q "FAILED .*hangs: not done after 1 s" out
expect "it had mounted two file systems" "$(cat mounts)" 2
expect "none is left" "$(grep " $(cat place)/" /proc/self/mounts)" ""
expect "nor its directory" "$(find "$(cat place)" -maxdepth 0 2>/dev/null)" ""
# one that was killed may still be about to end
for _ in $(seq 100); do
	left=$(tr '\0' ' ' <"/proc/$(cat process)/cmdline" 2>/dev/null)
	[ -n "$left" ] || break
	sleep 0.1
done
expect "nor its process" "$left" ""
finish
