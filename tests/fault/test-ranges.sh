#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# A value that cannot be is told in one line, with its table and column, and no command answers from it.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

"$TEST_BUILD/tests/spoolgen" -n 2 -r 20 out >/dev/null
"$TRYST" analyze out >/dev/null

# refused UPDATE TEXT [COMMAND]: the command [sql] fails on the database after it, and says the text alone
refused() {
	cp out/run.db bad.db
	sqlite3 bad.db "$1"
	# shellcheck disable=SC2086 # a command and its options
	"$TRYST" ${3-sql -f csv} bad.db >answer 2>said
	expect "$1: ${3-sql}: exit code" $? 1
	command=${3-sql}
	expect "$1: ${3-sql}" "$(cat said answer)" "tryst ${command%% *}: cannot read 'bad.db': $2"
}

refused "UPDATE run SET value = 3 WHERE key = 'world_size' AND rank = 1" "table run has world_size 2 and 3"
refused "UPDATE run SET value = 1 WHERE key = 'world_size'" "table run has rank 1 in a world of 1"
for command in report predict diff; do
	refused "UPDATE run SET value = '1000000000' WHERE key = 'world_size' AND rank = 1" \
		"table run has value 1000000000 of key world_size, which cannot be" \
		"$command$([ $command != diff ] || echo ' out/run.db')"
done
refused "UPDATE run SET value = -3 WHERE key = 'end_ns'" "table run has value -3 of key end_ns, which cannot be"
refused "UPDATE comm_row SET size = -1" "table comm_row has size -1, which cannot be"
refused "UPDATE call_cell SET bytes = -1" "table call_cell has bytes -1, which cannot be"
refused "INSERT INTO coll_row (id, span) VALUES (1, 1 << 62)" "table coll_row has span 4611686018427387904, which cannot be"
refused "UPDATE call_cell SET time_ns = 'long'" "table call_cell has time_ns long, which cannot be"

# The tables of an analysis that came with its database. SQLite's sums fail beyond 2^63: report ended then.
refused "UPDATE match_row SET late = 1 << 51" "table match_row has late 2251799813685248, which cannot be"
refused "UPDATE match_row SET send = -1" "table match_row has send -1, which cannot be"
refused "UPDATE exact_cell SET late_ns = 1 << 62" "table exact_cell has late_ns 4611686018427387904, which cannot be"
for column in late_ns -excess_ns; do
	total=$(sqlite3 out/run.db "SELECT printf('%.3g', count(*) * 0.5e18) FROM exact_cell")
	refused "UPDATE exact_cell SET ${column#-} = ${column%%[a-z]*}500000000000000000" \
		"table exact_cell has ${column#-} that add up to $total, which cannot be"
done
refused "INSERT INTO clock_cell VALUES (1, 0, 0, 0, 0, 0)" "table clock_cell has span 0, which cannot be"
refused "INSERT INTO collective_wait_row (id, callsite) VALUES (1, (1 << 32) + 2)" \
	"table collective_wait_row has callsite 4294967298, which cannot be"
refused "UPDATE frame_row SET callsite = callsite + (1 << 32)" "table frame_row has callsite 4294967298, which cannot be"
refused "UPDATE blame_cell SET callsite = -1 WHERE callsite = (SELECT max(callsite) FROM blame_cell)" \
	"table blame_cell has callsite -1, which cannot be"

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
"$TRYST" report -v ranks >answer 2>said
check "the rest is reported" grep -q "1 of 4 ranks" answer

# One rank's file has another world_size than the others: a short file, a long one, or one copied row by row.
"$TEST_BUILD/tests/spoolgen" -n 3 -r 20 worlds >/dev/null
"$TRYST" collect worlds >/dev/null
sqlite3 long/rank-000001.db "UPDATE run SET value = 3 WHERE key = 'world_size'"
for case in "0 2 short" "1 2 short" "2 2 short" "1 4 short" "0 4 journal" "1 2 journal" "2 4 journal" "1 2 long"; do
	# shellcheck disable=SC2086 # its three words
	set -- $case
	rm -rf bad
	cp -r worlds bad
	[ "$3" != long ] || cp long/rank-000001.db bad/
	sqlite3 "bad/rank-00000$1.db" "UPDATE run SET value = $2 WHERE key = 'world_size'"
	[ "$3" != journal ] || : >"bad/rank-00000$1.db-journal"
	"$TRYST" merge bad >answer 2>said
	expect "world of $case: exit code" $? 1
	expect "world of $case" "$(cat said)" "tryst merge: rank $1 is left out: its world_size is $2, that of others 3"
	"$TRYST" report -v bad >answer 2>said
	check "world of $case: the rest is reported" grep -q "2 of 3 ranks" answer
done
cp worlds/rank-000002.db alone.db
sqlite3 alone.db "UPDATE run SET value = 2 WHERE key = 'world_size'"
"$TRYST" report -v alone.db >answer 2>said
expect "rank 2 in a world of 2" "$(cat said answer)" \
	"tryst report: cannot read 'alone.db': table run has rank 2 in a world of 2"

# Rows of another rank in a rank's file, one table after the other: short files, long ones, and row by row.
"$TEST_BUILD/tests/spoolgen" -n 3 -r 20 good >/dev/null
"$TRYST" merge good >/dev/null
tables=$(sqlite3 good/rank-000000.db "SELECT name FROM sqlite_master WHERE type = 'table'")
# foreign FILE TABLE RANK: a row of that rank, made from the columns that have to be there
foreign() {
	sqlite3 "$1" "SELECT group_concat(name), group_concat(CASE name WHEN 'rank' THEN $3
		WHEN 'id' THEN ($3 << 40) + 7 ELSE 1 END)
		FROM pragma_table_info('$2') WHERE \"notnull\" OR pk" |
		sed "s/\(.*\)|\(.*\)/INSERT INTO $2 (\1) VALUES (\2);/" | sqlite3 "$1"
}
# left_out DIR TABLE HOW: merged, rank 1 is left out for that table alone, and the others are taken
left_out() {
	"$TRYST" merge "$1" >answer 2>said
	expect "$2, $3: exit code" $? 1
	expect "$2, $3" "$(cat said)" "tryst merge: rank 1 is left out: its table $2 has rows of another rank"
	expect_sql "$1/run.db" "SELECT group_concat(DISTINCT rank) FROM run" 0,2
}
nranked=0
rm -rf bad
cp -r good bad
rm bad/run.db
mkdir made
for table in $tables; do
	case $table in
	*_name) ;;
	site_row | clock_cell | match_* | alone_row | exact_* | collective_wait_row | wait_slot_cell | unhidden_cell | \
		accuracy_cell | model_lost_cell | blame_* | critical_path_cell)
		# made by the command, so not read from there
		foreign bad/rank-000001.db "$table" 2
		: >made/"$table"
		;;
	*)
		nranked=$((nranked + 1))
		cp -r good one
		rm one/run.db
		foreign one/rank-000001.db "$table" 2
		left_out one "$table" "a short file"
		rm -r one
		;;
	esac
done
check "tables that the command makes are not read" to merged "$TRYST" merge bad
expect_sql bad/run.db "SELECT group_concat(DISTINCT rank) FROM run" 0,1,2
check "there are such tables" test "$(find made -type f | wc -l)" -gt 12
for table in made/*; do
	table=${table#made/}
	expect_sql bad/run.db "SELECT count(*) FROM $table" "$(sqlite3 good/run.db "SELECT count(*) FROM $table")"
done
check "there are tables by rank" test $nranked -gt 15

# Where a journal lies beside a file it is read row by row.
for rank in 0 2; do
	rm -rf bad
	cp -r good bad
	rm bad/run.db
	foreign bad/rank-000001.db comm_row $rank
	: >bad/rank-000001.db-journal
	left_out bad comm_row "of rank $rank, row by row"
	rm -rf bad
	cp -r good bad
	rm bad/run.db
	cp long/rank-000001.db bad/
	foreign bad/rank-000001.db op_row $rank
	left_out bad op_row "of rank $rank, a long file"
done

# the good one answers
check "the database as it was made" to report "$TRYST" report -v out/run.db
finish
