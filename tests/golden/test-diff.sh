#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# Two runs side by side: what belongs together is compared, and noise is told from change.
# GOLDEN_UPDATE=1 writes the text anew, for a commit that says why.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

spoolgen=$TEST_BUILD/tests/spoolgen
"$spoolgen" -n 4 -r 500 -s 7 before >/dev/null
"$spoolgen" -n 4 -r 500 -s 8 -l 30 after >/dev/null
"$spoolgen" -n 4 -r 500 -s 9 again >/dev/null
"$TRYST" diff --width 80 before after >got 2>&1
[ -z "$GOLDEN_UPDATE" ] || cp got "$TEST_SRC/tests/golden/diff-80.expected"
check "three times as often late" diff -u "$TEST_SRC/tests/golden/diff-80.expected" got

# The run time comes first, and is judged.
expect "the run time stands before the waits" "$("$TRYST" diff --width 999 before after 2>/dev/null |
	sed -n 's/^\(Run time\|Verdict\): .*/\1/p' | tr '\n' ' ')" "Run time Verdict "
check "it became longer" sh -c '"$1" diff --width 999 -s run before after |
	grep -q "^Run time: [0-9.]* ms became [0-9.]* ms, [0-9.]* % longer; that is beyond the noise of [0-9.]* [mu]s\.$"' sh "$TRYST"
check "or is the same" sh -c '"$1" diff --width 999 -s run before before |
	grep -q "^Run time: \([0-9.]* ms\) became \1; that is within the noise"' sh "$TRYST"

# --fail-if: runs whose times are made by hand.
"$TRYST" report before >/dev/null
cp -r before slower
for file in before/rank-*.db; do touch -r "$file" "slower/${file#before/}"; done
sqlite3 before/run.db "UPDATE run SET value = 100000000 WHERE key = 'end_ns'"
sqlite3 slower/run.db "UPDATE run SET value = 110000000 WHERE key = 'end_ns';
	UPDATE exact_cell SET late_ns = late_ns + 1000000 * waits WHERE code >> 14 & 15 = 1 AND callsite = 3"
fails() {
	"$TRYST" diff -s conditions --fail-if "$1" before slower >got 2>why
	echo $?
}
for condition in 'run>9.9%' 'run > 9ms' 'run>9999us,messages>5' 'late_sender>50ms' 'waits>1%' 'calls>1000,late_sender>0%'; do
	expect "$condition: exit code 3" "$(fails "$condition")" 3
done
expect "which are met is told" "$(cat why)" "tryst diff: --fail-if: late_sender>0%"
expect "all of them are shown" "$(grep -c '^Condition \(calls>1000 is not met: \([0-9,]*\) became \2\|late_sender>0% is met: .* became .*\)\.$' got)" 2
for condition in 'run>10.1%' 'run>11ms' 'messages>0%' 'early_scan>0%' 'late_receiver>1ns,calls>0' 'computation>10s'; do
	expect "$condition: exit code 0" "$(fails "$condition")" 0
done
expect "and nothing is told" "$(cat why)" ""
expect "for programs" "$("$TRYST" diff -f csv -s conditions --fail-if 'run>5%' before slower 2>/dev/null)" \
	"section,condition,a_ns,b_ns,change_ns,a_count,b_count,change_count,change_pct,is_met
conditions,run>5%,100000000,110000000,10000000,,,,10.0,1"
for wrong in run 'run>' 'run>5' 'run>5B' 'messages>5ms' 'speed>5%' 'run>5%,' 'run>-1%' 'run>nan%' 'run<5%'; do
	expect "'$wrong' is no condition" "$(fails "$wrong")" 2
	expect "'$wrong' is told in one line" "$(wc -l <why)" 1
done
fails 'speed>5%' >/dev/null
check "with the measures that there are" grep -q "no measure 'speed'; there are run, waits, mpi,.* late_sender," why
rm -f before/run.db

# A cause that became another one at the same place is one line.
cp -r before relabelled
"$TRYST" report before >/dev/null
cp before/run.db relabelled/run.db
for file in before/rank-*.db; do touch -r "$file" "relabelled/${file#before/}"; done
sqlite3 relabelled/run.db "UPDATE OR IGNORE exact_cell SET code = (code & ~(15 << 14)) | (6 << 14), contention_ns = late_ns, late_ns = 0
	WHERE callsite = 3 AND code >> 14 & 15 = 1;
	UPDATE OR IGNORE wait_slot_cell SET code = (code & ~(15 << 10)) | (6 << 10) WHERE site = 3 AND code >> 10 = 1"
expect "a cause with another name is no change" "$("$TRYST" diff -n 1000 -f csv -s waits before relabelled |
	awk -F, '/contention/ { print $4, $12, $13 }')" "late_sender contention noise"
check "in one line" sh -c '"$1" diff --width 200 -s waits before relabelled | grep -q "late_sender -> contention .* noise$"' sh "$TRYST"

# The same machine with other random numbers: what differs is chance.
expect "chance is noise" "$("$TRYST" diff -f csv -s waits before again | grep -v ',noise$\|,few$')" \
	"section,where,call,cause,a_count,b_count,a_ns,b_ns,change_ns,change_pct,noise_ns,b_cause,verdict"
check "small waits of which too little is known are no matter" sh -c '"$1" diff --width 999 -s verdict before again |
	grep -q "; no change is beyond the noise\.$"' sh "$TRYST"
expect "a run does not differ from itself" \
	"$("$TRYST" diff -f json -n 1000 before before | grep -c '"change_ns": [^0]')" 0
check "JSON" sh -c '"$1" diff -f json before after | python3 -m json.tool >/dev/null' sh "$TRYST"

# Somebody else is late: waits at the same places are as long as before.
cp -r before moved
"$TRYST" report -v moved >/dev/null
sqlite3 moved/run.db "UPDATE blame_cell SET direct = direct * 9 WHERE rank = 2"
expect "whom the others wait for is compared" "$("$TRYST" diff -f csv -s blame before moved |
	awk -F, 'NR == 2 { print $2, ($4 > 3 * $3), ($5 == $4 - $3), $6 ~ /simulated/ } NR > 2 { print $5 }')" "2 1 1 1
0
0
0"

# Of messages that nothing was predicted for, as with calibrating switched off, it is not known what they waited.
cp -r before unpredicted
rm -f unpredicted/run.db unpredicted/rank-*.ring unpredicted/rank-*.spool
for file in unpredicted/rank-*.db; do
	sqlite3 $file "UPDATE op_row SET predicted = NULL, code = (code | (1 << 32)) & ~(4194304 | 3932160 | 196608);
		DELETE FROM link_param; INSERT OR REPLACE INTO run SELECT rank, 'TRYST_CALIBRATE', 'off' FROM run;
		UPDATE OR REPLACE wait_cell SET code = (code | (1 << 32)) & ~(3932160 | 196608),
			predicted_ns = 0, excess_ns = 0, wait_ns = 0, max_wait_ns = 0"
done
for how in '' --one-side; do
	"$TRYST" diff $how before unpredicted 2>&1 | tr -s "\n " " " >got
	check "waits without predictions are not compared: $how" grep -q "Verdict: the waits cannot be\
 compared, since time in message calls is unpredicted and may be waiting: [0-9.]* [mu]*s of B (calibrating was switched off)\." got
	check "time in MPI is: $how" grep -q "All time in MPI: \([0-9.]* [mu]*s\) became \1; no change" got
	expect "nothing that needs them is judged: $how" "$("$TRYST" diff $how -n 1000 -f csv -s waits before \
		unpredicted | grep -c 'unexplained.*\(more\|less\|noise\)')" 0
done
check "what needs none is compared" sh -c '"$1" diff -n 1000 -f csv -s waits before unpredicted |
	grep -q "late_sender.*noise"' sh "$TRYST"

for run in before unpredicted; do
	cp -r $run $run-collective
	"$TRYST" report -v $run-collective >/dev/null
	sqlite3 $run-collective/run.db "UPDATE collective_wait_row SET code = (code & 1023) | (7 << 10)"
done
expect "late progress of collectives needs none" "$("$TRYST" diff -n 1000 -f csv -s waits before-collective \
	unpredicted-collective | awk -F, '/MPI_Allreduce.*late_progress/ { n++; judged += $NF != "" } END { print n + 0, judged + 0 }')" "1 1"

# All of it could be what A waited more, but for less than the noise.
cp -r before much
for file in before/rank-*.db; do touch -r "$file" "much/${file#before/}"; done
unknown=$("$TRYST" diff -f csv -s verdict before unpredicted | awk -F, 'NR == 2 { print $8 }')
sqlite3 much/run.db "UPDATE exact_cell SET other_ns = $unknown * 105 / 100 WHERE (rank, callsite, code, peer, comm, bytes_log2) =
	(SELECT rank, callsite, code, peer, comm, bytes_log2 FROM exact_cell WHERE code >> 14 & 15 = 9 AND code >> 12 & 3 LIMIT 1)"
expect "a change that it could be is not judged" "$("$TRYST" diff -n 1000 -f csv -s waits much unpredicted |
	awk -F, '/unexplained/ && $7 > '"$unknown"' { n++; judged += $NF != "" } END { print n + 0, judged + 0 }')" "1 0"

# A few of them are no matter where nobody waited.
cp -r before few
rm -f few/run.db
for file in few/rank-*.db; do
	sqlite3 $file "UPDATE op_row SET code = code & ~4194304; UPDATE wait_cell SET wait_ns = 0, max_wait_ns = 0, blocked_ns = 10;
		UPDATE OR REPLACE wait_cell SET code = code | (1 << 32) WHERE code >> 10 & 3 = 1"
done
check "less than a hundredth of the run leaves waits what they are" sh -c '"$1" diff --one-side --width 999 few few |
	grep -q "^Verdict: 0 ns of waiting became 0 ns; no change"' sh "$TRYST"

# Waits of messages whose rows were dropped have a name.
cp -r before dropped
rm -f dropped/run.db
for rank in 0 1 2 3; do
	sqlite3 dropped/rank-00000$rank.db "INSERT OR REPLACE INTO run SELECT $rank, 'dropped_ops', count(*) - 300
		FROM op_row; DELETE FROM op_row WHERE id & 0xffffffffff > 300"
done
"$TRYST" diff -n 1000 -f csv -s waits before dropped >got
check "waits of messages without rows are compared as such" grep -q '^waits,[^,]*,MPI_Recv,not_recorded,0,0,0,[1-9]' got

expect "their time stands where the report has it" "$("$TRYST" diff -f csv -s time before dropped | cut -d, -f2 | grep messages)" \
	"waiting in messages
messages without rows"

# One wait more.
cp -r before grown
sqlite3 grown/run.db "UPDATE exact_cell SET late_ns = late_ns + 1000000 * waits WHERE code >> 14 & 15 = 1 AND callsite = 3"
for file in before/rank-*.db; do touch -r "$file" "grown/${file#before/}"; done
check "one wait grew" sh -c '"$1" diff --width 999 -s verdict before grown | grep -q "; 1 wait grew and 0 shrank beyond"' sh "$TRYST"

# Of what all came at once, by one stall, or in five, nobody can tell whether it will again; what is spread over the run
# is a change.
"$TRYST" report -v before >/dev/null
for spread in "slot = 40" "slot IN (10, 35, 60, 85, 110)" 1; do
	rm -rf stalled
	cp -r before stalled
	sqlite3 stalled/run.db "UPDATE exact_cell SET late_ns = late_ns + 1000000 * waits
			WHERE code >> 14 & 15 = 1 AND callsite = 3;
		UPDATE wait_slot_cell SET ns = ns + (SELECT sum(1000000 * waits) FROM exact_cell WHERE code >> 14 & 15 = 1
			AND callsite = 3) / (SELECT count(*) FROM wait_slot_cell WHERE $spread AND site = 3 AND code >> 10 = 1)
			WHERE $spread AND site = 3 AND code >> 10 = 1"
	for file in before/rank-*.db; do touch -r "$file" "stalled/${file#before/}"; done
	expect "a second of waiting more, where $spread" "$("$TRYST" diff -f csv -s waits before stalled |
		awk -F, '/late_sender/ && $8 - $7 > 100000000 { print $NF }')" "$([ "$spread" = 1 ] && echo more || echo few)"
	"$TRYST" diff --width 999 -s verdict before stalled >got
	expect "the verdict where $spread" "$(grep -o "; 1 wait grew and 0 shrank beyond the noise\.$\|; it is unknown whether that \
is a change\. [0-9.]* m*s of the difference is in waits that are too few" got | sed "s,\. [0-9.]* m*s of,. s of,")" \
		"$([ "$spread" = 1 ] && echo "; 1 wait grew and 0 shrank beyond the noise." || echo "; it is unknown whether that \
is a change. s of the difference is in waits that are too few")"
	expect "and for programs where $spread" "$("$TRYST" diff -f csv -s verdict before stalled | awk -F, 'NR == 2 {
		print $5, $11, ($12 > 100000000) }')" "$([ "$spread" = 1 ] && echo "1 0 0" || echo "0 1 1")"
done

# Ranks that were held up by others on their processors wait for each other.
cp -r stalled held
for file in before/rank-*.db; do touch -r "$file" "held/${file#before/}"; done
sqlite3 held/run.db "INSERT OR REPLACE INTO run VALUES (2, 'cpu_wait_ns', 1000000000);
	UPDATE run SET value = value + 1000000000 WHERE key = 'end_ns'"
"$TRYST" diff --width 999 before held >got
check "what a machine may have done is no change of the program" grep -q "; no change is beyond the noise\. CPU shortage: \
ranks were ready to run but had no CPU for 0 ns in A and 1\.00 s in B\. It causes up to [0-9.]* m*s of a row's noise (noise_ns in csv)\. \
Repeat both runs with a CPU for each rank to see smaller changes\." got
expect "in no row" "$(grep -c ' more$\| less$' got)" 0
# Equally long in both, on other ranks: whom the others waited for has changed all the same.
cp -r before held_too
for file in before/rank-*.db; do touch -r "$file" "held_too/${file#before/}"; done
sqlite3 held_too/run.db "INSERT OR REPLACE INTO run VALUES (0, 'cpu_wait_ns', 1000000000)"
expect "other ranks that were held up are no change of the program" "$("$TRYST" diff -n 1000 -f csv -s waits held_too held |
	grep -c 'late_sender.*\(more\|less\)$')" 0
# Nor does that grow with the ranks: no wait can have lost more than there was of it.
expect "no limit is far beyond the waits" "$("$TRYST" diff -n 1000 -f csv -s waits before held |
	awk -F, '$1 == "waits" && $11 > 1.5 * ($7 + $8) + 110000000')" ""

# A rank that was held up itself has waited less for others by that.
cp -r stalled victims
for file in before/rank-*.db; do touch -r "$file" "victims/${file#before/}"; done
sqlite3 victims/run.db "INSERT OR REPLACE INTO run SELECT rank, 'cpu_wait_ns', 1000000000 FROM exact_cell WHERE callsite = 3
	AND code >> 14 & 15 = 1 GROUP BY rank ORDER BY sum(late_ns) DESC LIMIT 1;
	DELETE FROM exact_cell WHERE callsite = 3 AND rank <> (SELECT rank FROM run WHERE key = 'cpu_wait_ns');
	UPDATE exact_cell SET late_ns = 3 * late_ns WHERE callsite = 3"
expect "who was held up itself has not waited for others by that" "$("$TRYST" diff -f csv -s waits before victims |
	awk -F, '/late_sender/ && $8 - $7 > 100000000 { print $NF }')" more

# Callsites get lines; a build later everything has moved, and one line is new.
"$TRYST" report -v before >/dev/null
sqlite3 before/run.db "UPDATE frame_row SET function = 'f' || callsite, file = '/src/x.c',
	line = 10 * callsite; UPDATE module_row SET build_id = 'aa'"
cp -r before rebuilt
# run.db is made of these files still: their times count
for file in before/rank-*.db; do touch -r "$file" "rebuilt/${file#before/}"; done
sqlite3 rebuilt/run.db "UPDATE module_row SET build_id = 'bb'; UPDATE frame_row SET offset = offset + 64"
expect "callsites of another build are found by their lines" \
	"$("$TRYST" diff -f csv -s waits,calls -n 1000 before rebuilt | grep -v '^section\|^$' |
		grep -vc ',noise$')" 0
# An edit moves the lines below it; another build moves every address.
all_noise() {
	"$TRYST" diff -f csv -s waits,calls -n 1000 "$1" "$2" | grep -v '^section\|^$' | grep -vc ',noise$'
}
sqlite3 rebuilt/run.db "UPDATE frame_row SET line = line + 2, function = iif(callsite < 6, 'f', 'g');
	UPDATE module_row SET path = '/new' || path"
sqlite3 before/run.db "UPDATE frame_row SET function = iif(callsite < 6, 'f', 'g')"
expect "callsites are found by their order where lines have moved" "$(all_noise before rebuilt)" 0
check "both lines are shown" sh -c '"$1" diff --width 120 before rebuilt | grep -q "^f x.c:30 (B: 32)  *MPI_Recv"' sh "$TRYST"
cp -r rebuilt renamed
for file in before/rank-*.db; do touch -r "$file" "renamed/${file#before/}"; done
sqlite3 renamed/run.db "UPDATE frame_row SET file = '/src/y.c'"
expect "in a file of another name, too" "$(all_noise before renamed)" 0
check "which is shown" sh -c '"$1" diff --width 120 before renamed | grep -q "^f x.c:30 (B: f y.c:32)  *MPI_Recv"' sh "$TRYST"

# Callsite 8 receives as callsite 3 does: here both in function f, and then callsite 3 is gone in A.
cp -r before one_less
for file in before/rank-*.db; do touch -r "$file" "one_less/${file#before/}"; done
sqlite3 rebuilt/run.db "UPDATE frame_row SET function = 'f'"
sqlite3 one_less/run.db "UPDATE frame_row SET function = 'f';
	DELETE FROM call_cell WHERE callsite = 3; DELETE FROM exact_cell WHERE callsite = 3;
	DELETE FROM frame_row WHERE callsite = 3; DELETE FROM site_row WHERE callsite = 3"
expect "a call more in a function is the one without which lines move evenly" \
	"$("$TRYST" diff --width 999 -f csv -s calls -n 1000 one_less rebuilt | grep MPI_Recv | cut -d, -f2,3,11- | sort)" \
	"f x.c:32,MPI_Recv,\"more, only in B\"
f x.c:80 (B: 82),MPI_Recv,noise"

# Without debug information there are addresses, in functions or in modules alone.
for function in "iif(callsite < 6, 'f', 'g')" NULL; do
	sqlite3 before/run.db "UPDATE frame_row SET file = NULL, line = NULL, function = $function"
	cp before/run.db rebuilt/run.db
	sqlite3 rebuilt/run.db "UPDATE module_row SET build_id = 'bb', path = '/new' || path;
		UPDATE frame_row SET offset = 2 * offset + 64"
	expect "addresses have an order, functions $function" "$(all_noise before rebuilt)" 0
done

# In one build it is the address that counts.
sqlite3 before/run.db "UPDATE frame_row SET function = 'f' || callsite, file = '/src/x.c', line = 10 * callsite"
cp before/run.db rebuilt/run.db
sqlite3 rebuilt/run.db "UPDATE frame_row SET line = 31, function = 'h' WHERE line = 30"
expect "an address is the same wherever its line is" \
	"$("$TRYST" diff -f csv -s calls -n 1000 before rebuilt | grep -v '^section' | grep -vc ',noise$')" 0

rm -rf other
"$spoolgen" -n 2 -r 100 -s 7 other >/dev/null
"$TRYST" diff before other >got 2>&1
check "other numbers of ranks are told" grep -q "^The numbers of ranks differ" got
check "with what a rank waited" sh -c 'tr "\n" " " <got | grep -q "A rank waited [0-9.]* ms in A and [0-9.]* [mu]s in B on"'
check "and nothing is judged" sh -c 'tr -s "\n " " " <got | grep -q "Verdict: [^;]*; not judged, since the numbers of ranks differ"'
expect "in no table" "$("$TRYST" diff -f csv -s waits,calls -n 1000 before other | grep -c 'more\|less\|noise$')" 0
check "of one rank, one side" sh -c '"$1" diff --width 200 before/rank-000000.db after/rank-000000.db |
	grep -q "waits as one side can know them"' sh "$TRYST"
finish
