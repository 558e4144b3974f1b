#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# A disk that is full at the start, in mid-run, or when rows are written: the program runs on, one line
# a rank says so, what was written stays, and what could not be kept as rows is in the profiles.
. "${TEST_SRC:-.}/tests/lib.sh"
need mount mount
need sqlite3 sqlite3

{ mount -t tmpfs -o size=64k none "$TEST_TMPDIR" && umount "$TEST_TMPDIR"; } 2>/dev/null || {
	unshare -rm true 2>/dev/null || skip "may not mount a small file system here"
	[ -n "$TEST_INSIDE" ] || TEST_INSIDE=1 exec unshare -rm sh "$0"
	skip "may not mount a small file system here, nor in a namespace of its own"
}
unmount_disks() {
	for disk in "$TEST_TMPDIR"/disk-*; do umount -l "$disk" 2>/dev/null; done
}
trap 'lib_rc=$?; unmount_disks; lib_end' EXIT

both_said() {
	[ "$(grep -c 'only profiles are kept' under.err)" = 2 ]
}

n=20000
# One library is enough: each writes the same.
for mpi in ${MPIS##* }; do
	for size in 64k 700k 3m 6m 12m 14m 16m 60m; do
		disk=disk-$mpi-$size
		mkdir $disk
		mount -t tmpfs -o size=$size none $disk || exit 1
		to under shim_run $mpi 2 $disk/out "$(mpi_program $mpi doomed)" end $n
		expect "$mpi $size: exit code" $? 0
		expect "$mpi $size: output" "$(sort under)" "rank 0 done $n
rank 1 done $n"
		said=$(grep -c '^tryst: .*No space left on device' under.err)
		case $size in
		60m) expect "$mpi $size: nothing is said" "$(grep '^tryst: ' under.err)" "" ;;
		1[46]m) # how much a record takes may change: what is not said has to be there
			[ "$said" -eq 0 ] && check "$mpi $size: nothing is said, and nothing lacks ($(cat under.err))" \
				sh -c 'test -e $1-000000.db -a -e $1-000001.db -a ! -e $1-000000.ring -a ! -e $1-000001.ring' \
				sh $disk/out/rank
			check "$mpi $size: it is said once a rank and reason ($(cat under.err))" test "$said" -le 4 ;;
		*) check "$mpi $size: it is said, once a rank and reason ($(cat under.err))" \
			test "$said" -ge 1 -a "$said" -le 4 ;;
		esac
		[ -n "$(find $disk/out -name 'rank-*' 2>/dev/null)" ] || { umount $disk; continue; }
		# Room is made: everything that was recorded becomes rows.
		cp -r $disk/out got-$mpi-$size
		check "$mpi $size: collect with room again" to collect "$TRYST" collect got-$mpi-$size
		for db in "got-$mpi-$size"/rank-*.db; do
			expect_sql $db "PRAGMA integrity_check" ok
			expect "$mpi $size: $db: rows and dropped ops are all ops" "$(sql $db \
				"SELECT (SELECT count(*) FROM op) +
				(SELECT value FROM run WHERE key = 'dropped_ops')")" $((2 * n))
			expect_sql $db "SELECT sum(count) FROM wait_profile" $((2 * n))
			expect_sql $db "SELECT sum(count) FROM call_profile WHERE call IN ('MPI_Isend', 'MPI_Recv', 'MPI_Wait')" \
				$((3 * n))
		done
		umount $disk
	done

	# Killed on a full disk.
	disk=disk-$mpi-killed
	mkdir $disk doomed-$mpi
	mount -t tmpfs -o size=14m none $disk || exit 1
	DOOMED=$PWD/doomed-$mpi
	export DOOMED
	shim_run $mpi 2 $disk/out "$(mpi_program $mpi doomed)" run >under 2>under.err &
	launcher=$!
	wait_until 30 both_said
	sleep 0.3
	kill -9 "$(cat doomed-$mpi/pid-0)" "$(cat doomed-$mpi/pid-1)"
	wait $launcher
	unset DOOMED
	expect "$mpi: killed on a full disk: it was said once a rank ($(cat under.err))" "$(grep -c '^tryst: ' under.err)" 2
	cp -r $disk/out got-$mpi-killed
	umount $disk
	check "$mpi: killed on a full disk: collect with room again" to collect "$TRYST" collect got-$mpi-killed
	for r in 0 1; do
		db=got-$mpi-killed/rank-00000$r.db
		did=$(od -An -t u8 doomed-$mpi/log-$r | awk '{ print $1 + $2 }')
		expect_sql $db "PRAGMA integrity_check" ok
		expect "$mpi: killed on a full disk: rank $r: rows and dropped ops are all of $did, or two that had begun" "$(sql $db \
			"SELECT (SELECT count(*) FROM op) + (SELECT value FROM run WHERE key = 'dropped_ops') BETWEEN $did AND $did + 2")" 1
		expect "$mpi: killed on a full disk: rank $r: there are rows" "$(sql $db "SELECT count(*) > 1000 FROM op")" 1
	done

	# Who cannot record at all leaves the reason in its mark, and the report has it.
	disk=disk-$mpi-started
	mkdir $disk
	mount -t tmpfs -o size=300k none $disk || exit 1
	mpi_run $mpi 2 "$TRYST" run -o $disk/out --calibrate off "$(mpi_program $mpi doomed)" end $n >under 2>&1
	"$TRYST" report --width 400 -s losses $disk/out >report 2>report.err
	check "$mpi: the report says why nothing was recorded ($(cat report report.err))" grep -q \
		"^! 2 of 2 processes that tryst run started are not recorded: .*No space left on device" report
	umount $disk

	# Room for one rank's records with the 4 MiB that they reserve ahead, and not for their rows, which take nine.
	disk=disk-$mpi-roomy
	mkdir $disk
	mount -t tmpfs -o size=100m none $disk || exit 1
	TRYST_ROWS=later
	export TRYST_ROWS
	check "$mpi: records with room" shim_run $mpi 1 $disk/out "$(mpi_program $mpi doomed)" end 100000
	unset TRYST_ROWS
	kib=$(du -sk $disk/out | cut -f 1)
	umount $disk
	mount -t tmpfs -o size=$((kib + 4608))k none $disk || exit 1
	to under shim_run $mpi 1 $disk/out "$(mpi_program $mpi doomed)" end 100000
	expect "$mpi: no room for rows: output" "$(cat under)" "rank 0 done 100000"
	check "$mpi: no room for rows: it is said ($(cat under.err))" grep -q "stay in ring and spool; 'tryst collect" under.err
	cp -r $disk/out got-$mpi-roomy
	check "$mpi: no room for rows: collect with room again" to collect "$TRYST" collect got-$mpi-roomy
	expect_sql got-$mpi-roomy "SELECT count(*) FROM op" 200000
	umount $disk
done
finish
