#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# A merge that is killed goes on where it was; one that is up to date stays, with what analyze added;
# of many ranks neither time nor memory goes to waste.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
"$TEST_BUILD/tests/spoolgen" -n 96 -r 60 run >truth
"$TRYST" collect run >/dev/null

check "a run of 96 ranks is merged" to out.txt "$TRYST" merge run
cp run/run.db whole.db
check "and analyzed" to out.txt "$TRYST" analyze run
matched=$(sql run/run.db "SELECT value FROM match_info WHERE key = 'messages'")
expect "each message is matched" "$matched" "$(sed -n 's/^sends //p' truth)"
check "merge leaves it as it is" to out.txt "$TRYST" merge run
expect_sql run/run.db "SELECT value FROM match_info WHERE key = 'messages'" "$matched"
check "unless it is asked to do it again" to out.txt "$TRYST" merge --again run
expect_sql run/run.db "SELECT count(*) FROM match_info" 0

# Stacks of several ranks stand there once, and each rank still has its own callsites; also where files
# are long (that of rank 1 is), where one rank's differ, and where a file has to be taken row by row.
"$TEST_BUILD/tests/spoolgen" -n 4 -r 20 stacks >/dev/null
"$TEST_BUILD/tests/spoolgen" -n 4 -r 15000 long >/dev/null
"$TRYST" collect stacks >/dev/null
"$TRYST" collect long >/dev/null
cp long/rank-000001.db stacks/
sqlite3 stacks/rank-000002.db "UPDATE frame_row SET offset = offset + 16 WHERE callsite = 3"
: >stacks/rank-000003.db-journal
check "ranks with equal stacks are merged" to out.txt "$TRYST" merge stacks
for rank in 0 1 2 3; do
	columns="callsite, frame, build_id, module, offset"
	sql stacks/rank-00000$rank.db "SELECT $columns FROM callsite ORDER BY 1, 2" >own
	sql stacks/run.db "SELECT $columns FROM callsite WHERE rank = $rank ORDER BY 1, 2" >merged
	check "rank $rank has its callsites" diff own merged
done
expect_sql stacks/run.db "SELECT rank, count(DISTINCT callsite) FROM frame_row GROUP BY rank" \
	"$(printf '0|7\n2|1\n3|7')"
expect_sql stacks/run.db "SELECT count(DISTINCT site) FROM callsite WHERE rank < 2" 7
expect_sql stacks/run.db "SELECT count(DISTINCT site) FROM callsite WHERE callsite = 3 AND rank < 3" 2

# What an older or newer tryst made of the same files
for change in "UPDATE merge_info SET value = value + 1 WHERE key = 'layout'" "PRAGMA user_version = 99" \
	"DELETE FROM merge_info WHERE key = 'layout'"; do
	sqlite3 run/run.db "$change; UPDATE run SET value = 'as it was' WHERE rank = 2 AND key = 'program'"
	check "run.db of another layout is made anew" to out.txt "$TRYST" merge run
	expect_sql run/run.db "SELECT value = 'as it was' FROM run WHERE rank = 2 AND key = 'program'" 0
done

# Without the ranks' files it cannot be made anew: of use as long as its tables and views are ours.
mkdir alone
cp whole.db alone/run.db
sqlite3 alone/run.db "UPDATE merge_info SET value = value + 1 WHERE key = 'layout'"
check "run.db of another version that has them all is reported" to out.txt "$TRYST" report -v alone
sqlite3 alone/run.db "DROP TABLE wait_slot_cell"
cp run/rank-000000.db old.db
sqlite3 old.db "DROP TABLE wait_slot_cell"
for command in "report alone" "diff alone run" "export -f csv -o csv alone" "sql alone" "report old.db"; do
	"$TRYST" $command >out.txt 2>&1 </dev/null
	expect "where one is missing $command says so" "$(grep -c "^tryst.*: cannot read '.*': damaged, or not made by this version of tryst: table 'wait_slot_cell' is missing" out.txt)" 1
done

# What a killed merge leaves: here every other rank is done, and none of the last ones.
leave_part() {
	rm -f run/run.db
	cp whole.db run/run.db.merging
	for table in $(sql whole.db "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.name = 'rank'"); do
		echo "DELETE FROM $table WHERE rank % 2 = 1 OR rank >= 64;"
	done >delete.sql
	for table in op_row coll_row busy_row rma_row io_row pending_op_row pending_coll_row in_call_row; do
		echo "DELETE FROM $table WHERE (id >> 40) % 2 = 1 OR (id >> 40) >= 64;"
	done >>delete.sql
	sqlite3 run/run.db.merging <delete.sql
}
sums="SELECT (SELECT count(*) || ' ' || sum(post) FROM op_row), (SELECT count(*) FROM run),
	(SELECT count(*) || ' ' || sum(time_ns) FROM call_cell), (SELECT count(*) FROM frame_row),
	(SELECT count(*) || ' ' || sum(offset) || ' ' || count(DISTINCT site) FROM callsite),
	(SELECT count(*) FROM input WHERE state = 'whole')"
leave_part
sqlite3 run/run.db.merging "UPDATE run SET value = 'as it was' WHERE rank = 2 AND key = 'program'"
check "it goes on" to out.txt "$TRYST" merge run
expect_sql run/run.db "$sums" "$(sql whole.db "$sums")"
expect_sql run/run.db "SELECT value FROM run WHERE rank = 2 AND key = 'program'" "as it was"
expect "nothing is left beside it" "$(find run -name '*merging*')" ""

leave_part
sqlite3 run/run.db.merging "UPDATE run SET value = 'as it was' WHERE rank = 2 AND key = 'program'"
touch run/rank-000002.db
check "not where an input has changed" to out.txt "$TRYST" merge run
expect_sql run/run.db "SELECT count(*) FROM run WHERE value = 'as it was'" 0
expect_sql run/run.db "$sums" "$(sql whole.db "$sums")"

# A file that could not be opened is taken once it can be, though its size and time are what they were.
if [ "$(id -u)" = 0 ]; then
	cp "$TRYST" own-tryst
	chmod -R a+rwX .
	as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
	ln -s "$TRYST" own-tryst
	as_user=
fi
rm run/run.db
chmod 0 run/rank-000003.db
for again in 'the first time' 'the second time'; do
	$as_user ./own-tryst merge run >out.txt 2>err.txt
	expect "$again: exit code" $? 1
	check "$again: what cannot be opened is said" grep -q 'rank 3 is left out: .*Permission denied' err.txt
	[ "$again" = 'the second time' ] || sqlite3 run/run.db "UPDATE run SET value = 'as it was' WHERE rank = 2 AND key = 'program'"
done
expect_sql run/run.db "SELECT count(*) > 0 FROM run WHERE value = 'as it was'" 1
chmod 644 run/rank-000003.db
check "it is merged once it can be opened" to out.txt $as_user ./own-tryst merge run
expect_sql run/run.db "$sums" "$(sql whole.db "$sums")"

head -c 100000 whole.db >run/run.db.merging
rm run/run.db
check "nor where it is damaged" to out.txt "$TRYST" merge run
expect_sql run/run.db "$sums" "$(sql whole.db "$sums")"

# What killed ones left that had made their own, as somebody else was at it; who lives, or is elsewhere, is left alone.
need flock util-linux
host=$(uname -n)
touch run/run.db.merging-$host-99999 run/run.db.merging-$host-99999-journal run/run.db.merging-$host-99998 \
	run/run.db.merging-elsewhere-99997
(flock 9; exec sleep 1000) 9>run/run.db.merging-$host-99998 &
holder=$!
while flock -n run/run.db.merging-$host-99998 true; do sleep 0.1; done
check "another merge" to out.txt "$TRYST" merge --again run
expect "removes what a killed one left" "$(cd run && echo *merging*)" \
	"run.db.merging-elsewhere-99997 run.db.merging-$host-99998"
kill $holder
rm run/run.db.merging-*
flock run/run.db.merging sh -c '"$1" merge --again run; ls run' sh "$TRYST" >out.txt 2>&1
expect "beside another one it makes its own: $(grep -v rank- out.txt)" "$(grep merging out.txt)" run.db.merging
rm run/run.db.merging

# killed for real, at several moments
for ms in 05 1 2 4; do
	rm -f run/run.db
	timeout -s KILL "0.$ms" "$TRYST" merge run >/dev/null 2>&1
	check "killed after 0.$ms s, it goes on" to out.txt "$TRYST" merge run
	expect_sql run/run.db "$sums" "$(sql whole.db "$sums")"
done
finish
