#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=300
# An ordinary user's other events go on beside tryst's: the program's own, those of a process that watches it, and
# as many as fit into half of the memory that the kernel lets a user lock.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# ordinary CMD...: run by a user without privileges, whose events may lock no memory beyond perf_event_mlock_kb
as_user=
if [ "$(id -u)" = 0 ]; then
	need setpriv util-linux
	as_user='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all'
fi
ordinary() {
	# shellcheck disable=SC2016,SC2086 # words; the other shell's arguments
	$as_user sh -c 'ulimit -l 0; exec "$@"' sh "$@"
}

ordinary test -r "$TRYST_LIB" || skip "an ordinary user cannot read the build"
dir=$(ordinary mktemp -d /tmp/tXXXXXX) || skip "an ordinary user cannot be made"
HOME=$dir TMPDIR=$dir TRYST_CALIBRATE=off
export HOME TMPDIR TRYST_CALIBRATE
cd "$dir" || exit 99

# ended: as `finish`, without the user's directory
ended() {
	cd / && rm -rf "$dir"
	"$@"
}

# user_run NAME LIBRARY: two ranks; their output is in NAME.log, the pages that were left in NAME.pages
user_run() {
	# shellcheck disable=SC2086 # no word without a library
	(lib_under="$lib_under $under" mpi_run "$mpi" 2 env ${2:+LD_PRELOAD="$2"} TRYST_DIR="$dir/$1" "$program" "$dir/$1.pages") \
		>"$TEST_TMPDIR/$1.log" 2>"$TEST_TMPDIR/$1.err"
}

ordinary "$TRYST" doctor >"$TEST_TMPDIR/doctor" 2>&1
grep -q '^ok  *samples ' "$TEST_TMPDIR/doctor" || ended skip "$(grep ' samples ' "$TEST_TMPDIR/doctor")"
cat >ordinary <<END
#!/bin/sh
ulimit -l 0
exec $as_user "\$@"
END
chmod 755 ordinary
under=$dir/ordinary
for mpi in $MPIS; do
	program=$(mpi_program "$mpi" sample_user)
	check "$mpi: it ends well bare" user_run "$mpi-bare" ''
	check "$mpi: it ends well" user_run "$mpi-out" "$TRYST_LIB"
	expect "$mpi: its output" "$(cat "$TEST_TMPDIR/$mpi-out.log")" "$(cat "$TEST_TMPDIR/$mpi-bare.log")"
	expect "$mpi: its own event and that of its watcher have samples" \
		"$(sort "$TEST_TMPDIR/$mpi-out.log" | tr '\n' ,)" "it was watched,its event has samples,"
	expect "$mpi: nothing is said about it" "$(grep tryst "$TEST_TMPDIR/$mpi-out.err")" ""
	bare=$(cat "$mpi-bare.pages") left=$(cat "$mpi-out.pages")
	say "$mpi: $left pages are left of $bare"
	# the event of the watcher is gone, or not yet; each mapping has two pages
	check "$mpi: half of the memory is left" test "$((2 * left + 4))" -ge "$bare"
	check "$mpi: tryst has taken some" test "$left" -lt "$bare"
	expect_sql "$mpi-out" "SELECT count(DISTINCT thread) > 0 FROM computation" "1
1"

	ordinary mkfifo "$mpi-end"
	ordinary "$program" hold "$dir/$mpi-hold.pages" <"$mpi-end" &
	holder=$!
	exec 5>"$mpi-end"
	check "$mpi: somebody else takes all" wait_until 10 test -s "$mpi-hold.pages"
	check "$mpi: it ends well without memory for samples" user_run "$mpi-none" "$TRYST_LIB"
	exec 5>&-
	check "$mpi: the other one ends well" wait "$holder"
	expect "$mpi: nothing is said about that either" "$(grep tryst "$TEST_TMPDIR/$mpi-none.err")" ""
	expect_sql "$mpi-none" "SELECT (SELECT value > 0 FROM run WHERE key = 'unlocked_threads'), count(*) FROM computation" "1|0
1|0"
done
ended finish
