#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# Temporary directories of commands that were killed go with the next that makes one, and none is made for nothing.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

mkdir tmp
TMPDIR=$PWD/tmp
"$TEST_BUILD/tests/spoolgen" -n 2 -r 300 -s 5 run >/dev/null

touch -d 2000-01-01 tmp
check "ranks are collected and merged" to out "$TRYST" merge run
expect "nothing was made in the temporary directory for it" "$(find tmp -newermt 2001-01-01)" ""

# left: the directories of commands
left() {
	find tmp -mindepth 1 -maxdepth 1 | wc -l
}

# Somebody else's run.db makes a command merge elsewhere; the query has no end.
echo notes >run/run.db
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
merges_elsewhere() {
	[ -n "$(find tmp -name run.db -newer run/run.db)" ]
}
begin() {
	"$TRYST" sql run "$endless" >/dev/null 2>&1 &
	pid=$!
	wait_until 30 merges_elsewhere
}
begin
expect "a command works elsewhere" "$(find tmp -name run.db | wc -l)" 1
check "another one at the same time" to out "$TRYST" sql run 'SELECT count(*) FROM op'
expect "leaves the first one's, and nothing of its own" "$(find tmp -name run.db | wc -l) $(left)" "1 1"
kill -9 $pid
wait $pid 2>/dev/null
expect "killed, it leaves it behind" "$(left)" 1
check "the next command" to out "$TRYST" sql run 'SELECT count(*) FROM op'
expect "removes it" "$(left)" 0
finish
