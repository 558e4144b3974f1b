#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# A value that cannot be is told in one line, with its table and column, and no command answers from it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

"$TEST_BUILD/tests/spoolgen" -n 2 -r 20 out >/dev/null
"$TRYST" merge out >/dev/null

# refused UPDATE TEXT: both commands fail on the database after it, and say the text alone
refused() {
	cp out/run.db bad.db
	sqlite3 bad.db "$1"
	for command in report "sql -f csv"; do
		# shellcheck disable=SC2086 # a command and its options
		"$TRYST" $command bad.db >answer 2>said
		expect "$1: $command: exit code" $? 1
		expect "$1: $command" "$(cat said answer)" "tryst ${command%% *}: cannot read 'bad.db': $2"
	done
}

refused "UPDATE run SET value = '1000000000' WHERE key = 'world_size' AND rank = 1" \
	"table run has value 1000000000 of key world_size, which cannot be"
refused "UPDATE run SET value = -3 WHERE key = 'end_ns'" "table run has value -3 of key end_ns, which cannot be"
refused "UPDATE comm_row SET size = -1" "table comm_row has size -1, which cannot be"
refused "UPDATE call_cell SET bytes = -1" "table call_cell has bytes -1, which cannot be"

# In one rank's file: that rank is left out, whether its file is short, long (that of rank 1), or taken row by row.
"$TEST_BUILD/tests/spoolgen" -n 4 -r 20 ranks >/dev/null
"$TEST_BUILD/tests/spoolgen" -n 4 -r 15000 long >/dev/null
"$TRYST" collect ranks >/dev/null
"$TRYST" collect long >/dev/null
cp long/rank-000001.db ranks/
for rank in 0 1 2; do
	sqlite3 ranks/rank-00000$rank.db "UPDATE frame_row SET callsite = callsite - 4"
done
: >ranks/rank-000002.db-journal
"$TRYST" merge ranks >answer 2>said
expect "ranks with values that cannot be: exit code" $? 1
for rank in 0 1 2; do
	check "rank $rank" grep -q "rank $rank is left out: table frame_row has callsite -2, which cannot be" said
done
expect_sql ranks/run.db "SELECT group_concat(DISTINCT rank) FROM run" 3
expect_sql ranks/run.db "SELECT count(DISTINCT callsite) FROM callsite" 7
"$TRYST" report ranks >answer 2>said
check "the rest is reported" grep -q "1 of 4 ranks" answer

# the good one answers
check "the database as it was made" to report "$TRYST" report out/run.db
finish
