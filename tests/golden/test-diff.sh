#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# Two runs side by side: what belongs together is compared, and noise is told from change.
# GOLDEN_UPDATE=1 writes the text anew, for a commit that says why.
. "${TEST_SRC:-.}/tests/lib.sh"

spoolgen=$TEST_BUILD/tests/spoolgen
"$spoolgen" -n 4 -r 500 -s 7 before >/dev/null
"$spoolgen" -n 4 -r 500 -s 8 -l 30 after >/dev/null
"$spoolgen" -n 4 -r 500 -s 9 again >/dev/null
"$TRYST" diff --width 80 before after >got 2>&1
[ -z "$GOLDEN_UPDATE" ] || cp got "$TEST_SRC/tests/golden/diff-80.expected"
check "three times as often late" diff -u "$TEST_SRC/tests/golden/diff-80.expected" got

# The same machine with other random numbers: what differs is chance.
expect "chance is noise" "$("$TRYST" diff -f csv -s waits before again | grep -v ',noise$')" \
	"section,where,call,cause,a_count,b_count,a_ns,b_ns,change_ns,change_pct,noise_ns,verdict"
expect "a run does not differ from itself" \
	"$("$TRYST" diff -f json -n 1000 before before | grep -c '"change_ns": [^0]')" 0
check "JSON" sh -c '"$1" diff -f json before after | python3 -m json.tool >/dev/null' sh "$TRYST"

# Callsites get lines; a build later everything has moved, and one line is new.
"$TRYST" report before >/dev/null
sqlite3 before/run.db "UPDATE frame_row SET function = 'f' || callsite, file = '/src/x.c',
	line = 10 * callsite; UPDATE module_row SET build_id = 'aa'"
cp -r before rebuilt
# run.db is made of these files still: their times count
for file in before/rank-*.db; do touch -r "$file" "rebuilt/${file#before/}"; done
sqlite3 rebuilt/run.db "UPDATE module_row SET build_id = 'bb'; UPDATE frame_row SET offset = offset + 64"
expect "callsites of another build are found by their lines" \
	"$("$TRYST" diff -f csv -s waits,calls -n 1000 before rebuilt | grep -v '^section\|^$' |
		grep -vc ',noise$')" 0
sqlite3 rebuilt/run.db "UPDATE frame_row SET line = 31 WHERE line = 30"
expect "a line that moved is another one" \
	"$("$TRYST" diff -f csv -s calls before rebuilt | grep 'x.c:3[01]' | cut -d, -f2,3,11- | sort)" \
	"f3 x.c:30,MPI_Recv,\"less, only in A\"
f3 x.c:31,MPI_Recv,\"more, only in B\""
# in one build it is the address that counts
sqlite3 rebuilt/run.db "UPDATE module_row SET build_id = 'aa'; UPDATE frame_row SET offset = offset - 64"
expect "an address is the same wherever its line is" \
	"$("$TRYST" diff -f csv -s calls -n 1000 before rebuilt | grep -v '^section' | grep -vc ',noise$')" 0

rm -rf other
"$spoolgen" -n 2 -r 100 -s 7 other >/dev/null
"$TRYST" diff before other >got 2>&1
check "other numbers of ranks are told" grep -q "^The numbers of ranks differ" got
check "with what a rank waited" sh -c 'tr "\n" " " <got | grep -q "A rank waited [0-9.]* ms in A and [0-9.]* [mu]s in B on"'
check "and nothing is judged" grep -q "^Verdict: .*; other numbers of ranks: not judged" got
expect "in no table" "$("$TRYST" diff -f csv -s waits,calls -n 1000 before other | grep -c 'more\|less\|noise$')" 0
check "of one rank, one side" sh -c '"$1" diff --width 200 before/rank-000000.db after/rank-000000.db |
	grep -q "waits as one side can know them"' sh "$TRYST"
finish
