#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=300
# The report's text, CSV and JSON on simulated runs are what they were.
# GOLDEN_UPDATE=1 writes them anew, for a commit that says why.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need python3 python3

# Sums of real numbers differ in the last digits from one SQLite to another: six after the point are compared.
golden() {
	sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g' got >got.cut && mv got.cut got
	if [ -n "$GOLDEN_UPDATE" ]; then
		cp got "$TEST_SRC/tests/golden/$1.expected"
	fi
	check "$1" diff -u "$TEST_SRC/tests/golden/$1.expected" got
}

spoolgen=$TEST_BUILD/tests/spoolgen

# Processes that die in a receive, on two nodes.
check "a run is simulated" "$spoolgen" -n 4 -r 500 -o -s 7 -N 2 dead >/dev/null
"$TRYST" report -v --width 80 dead >got 2>&1
golden report-dead-80
"$TRYST" report dead >got 2>&1
golden screen-dead
check "the screen of a run that was cut short has at most 50 lines: $(wc -l <got)" test "$(wc -l <got)" -le 50
"$TRYST" report -v --width 120 --top 2 dead >got 2>&1
golden report-dead-120
"$TRYST" report -f csv -s losses,pending,protocols,causes,links dead >got 2>&1
golden report-dead-csv
"$TRYST" report -f json -n 2 dead >got 2>&1
golden report-dead-json

# What a ranking does not show is told, where there is any.
"$TRYST" report -v --width 120 -n 1 dead >few
for title in "WAITS by callsite" "WAITS by pair" BOTTLENECKS BLAME "CRITICAL PATH" "TIME IN MPI"; do
	check "of $title there are more" sh -c 'sed -n "/^$1/,/^\$/p" few | grep -q "^\.\.\. and .*more; --top shows them\$"' sh "$title"
done
expect "of all nothing is left" "$("$TRYST" report -v --width 120 -n 1000 dead | grep -c "more; --top")" 0

# A killed rank has no account of the kernel. Its recorded times without a CPU give the same doubt everywhere.
cp dead/run.db lacking.db
sqlite3 lacking.db "INSERT INTO run SELECT rank, 'sample_period_ns', 10000 FROM run WHERE key = 'end_ns';
	INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
	SELECT (rank << 40) + 1, 0, value / 4, 0, 1, 0, 0 FROM run WHERE key = 'end_ns'"
lacking='CPU shortage: ranks were ready to run but had no CPU for [^ ]* [a-z]* (25 % of their time)'
for how in -v '-s verdict' '-s verdict --one-side'; do
	check "report $how of killed ranks that lacked a CPU says so first" \
		sh -c '"$1" report --width 999 '"$how"' lacking.db | grep -q "$2"' sh "$TRYST" "$lacking"
done
check "so does the screen" sh -c '"$1" report lacking.db | tr -s "\n " " " | grep -q "$2"' sh "$TRYST" "$lacking"
expect "and json" "$("$TRYST" report -f json -s summary lacking.db | sed -n 's/.*"no_processor_ns": *\([0-9]*\).*/\1/p')" \
	"$(sql lacking.db "SELECT sum(value / 4) FROM run WHERE key = 'end_ns'")"
if "$TRYST" report -f html -o lacking.html lacking.db 2>why; then
	check "and the page" sh -c 'sed "s/.u000a */ /g" lacking.html | grep -q "$1"' sh "$lacking"
else
	check "there is no page without d3" grep -q "no HTML" why
fi

# A replay that finds no more than the noise says little if ranks lacked a CPU.
check "a run is simulated" "$spoolgen" -n 4 -r 300 -s 7 -N 2 noisy >/dev/null
check "it is analyzed" "$TRYST" report -o noisy.txt noisy
sqlite3 noisy/run.db "INSERT INTO run SELECT rank, 'cpu_wait_ns', value / 4 FROM run WHERE key = 'end_ns'"
"$TRYST" report --width 200 noisy >got
expect "the screen says where and why of three bottlenecks, whose worth is unknown" "$(sed -n '/^WORTH MOST/,/^$/p' got |
	grep -cE '^where: |^  why: |^  do: advice is withheld; worth: unknown, ranks lacked a CPU; .* of waits$')" 9
check "it is shown" sh -c '"$1" report noisy >lacking.screen' sh "$TRYST"
lines=$(wc -l <lacking.screen)
check "with 22 sizes of messages it has at most 49 lines: $lines" test "$lines" -le 49
expect "in JSON it is null, and the longest waits come first" "$("$TRYST" report -f json -s bottlenecks noisy | python3 -c '
import json, sys
rows = json.load(sys.stdin)["bottlenecks"]
waits = [row["wait_ns"] or row["unhidden_ns"] for row in rows]
print(all(row["worth_ns"] is None for row in rows), waits == sorted(waits, reverse=True))')" "True True"

# Others had the CPU in half of each late rank's time: said wherever there is a verdict.
cp dead/run.db preempted.db
sqlite3 preempted.db "INSERT INTO run SELECT rank, 'sample_period_ns', 10000 FROM run WHERE key = 'end_ns';
	UPDATE exact_cell SET no_cpu_ns = late_ns / 2"
for how in -v '' '-s verdict'; do
	check "report $how says how much of the waiting is for threads without a CPU" sh -c '"$1" report '"$how"' preempted.db |
		tr -s "\n " " " | grep -q "Of all waiting, including that with other causes, .* is for threads without a CPU\."' sh "$TRYST"
done

# Collectives that ranks 0 and 2 have begun and the others have not.
cp dead/run.db waits.db
for rank in 0 2; do
	sqlite3 waits.db "INSERT INTO coll_row (id, code, seq, comm, sent_bytes, post, span, callsite, done)
		VALUES (($rank << 40) + 99999, (SELECT id FROM call_name WHERE name = 'MPI_Allreduce'), 99999,
		1, 8, 0, 100, 7, 0); INSERT INTO pending_coll_row VALUES (($rank << 40) + 99999)"
done
"$TRYST" report --width 200 -n 20 -s pending waits.db >got 2>&1
for rank in 0 2; do
	check "rank $rank waits for those that have not begun" grep -q "^rank $rank posted MPI_Allreduce \
#99999 of MPI_COMM_WORLD, not begun by ranks 1,3, 8 B" got
done

# Of which one is another one: none of them will ever return.
sqlite3 waits.db "INSERT INTO call_name VALUES (1000, 'MPI_Bcast');
	UPDATE coll_row SET code = 1000 WHERE id = (2 << 40) + 99999"
"$TRYST" report --width 900 -n 20 -s pending,verdict waits.db >got 2>&1
check "a collective that others call by another name is told" grep -q "^rank 0 posted MPI_Allreduce #99999 of \
MPI_COMM_WORLD, not begun by ranks 1,3, where rank 2 called MPI_Bcast, 8 B" got
check "from both sides" grep -q "^rank 2 posted MPI_Bcast #99999 .*, where rank 0 called MPI_Allreduce, 8 B" got
check "the verdict names it" grep -q "\. Rank 0 called MPI_Allreduce, where rank 2 called MPI_Bcast\." got

# A job that hangs, its ranks read one after the other: rank 2 is outside MPI, and the others wait for it.
cp dead/run.db hangs.db
sqlite3 hangs.db "UPDATE input SET state = 'unfinished'; DELETE FROM in_call_row WHERE id >> 40 = 2;
	UPDATE run SET value = value + 3000000000 + 50000000 * rank WHERE key = 'end_ns'"
"$TRYST" report --width 200 -s losses,pending,verdict hangs.db >got 2>&1
expect "pending and verdict tell one age" "$(sed -n 's/.*the longest for at least \(.*\)\. See PENDING.*/\1/p' got)" \
	"$(sed -n 's/.* in MPI_Wait.*, for at least \([^:]*\):.*/\1/p' got | sort -r | head -1)"
check "which is until the last one was read" grep -q "the longest for at least 3.15 s" got
check "who is outside MPI is told, and the last that is known of it" grep -q \
	"^! rank 2: is outside MPI, 3 others inside; its last message or collective: MPI_[IA][a-z]* at simulated" got
sqlite3 hangs.db "UPDATE in_call_row SET enter = enter + 3000000000 + 50000000 * (id >> 40)"
expect "not while the others wait no long time" "$("$TRYST" report -s losses hangs.db | grep -c "outside MPI")" 0

# Who has nothing of a part has spent no time in it.
cp dead/run.db sends.db
sqlite3 sends.db "DELETE FROM exact_cell WHERE rank IN (1, 2)"
expect "ranks that did not wait are those that waited least" "$("$TRYST" report -f csv -s time sends.db |
	sed -n 's/^time,waiting in messages,[^,]*,[^,]*,\([^,]*,[^,]*\),.*/\1/p')" "0,1"

# A kind of link that nothing could be measured of.
cp dead/run.db bare.db
sqlite3 bare.db "UPDATE link_param SET value = NULL, source = NULL, reason = 'no time left' WHERE tier = 'node'"
"$TRYST" report --width 200 -s links bare.db >got 2>&1
check "links that were not measured are not said to be" grep -q "^node (ranks 0-3, not measured); unknown: .*no time left" got

# Numbers of an earlier set that nothing confirmed: said with their age, in the verdict as well, and no advice rests on them.
cp dead/run.db unconfirmed.db
sqlite3 unconfirmed.db "UPDATE link_param SET source = 'unconfirmed' WHERE tier <> 'self';
	INSERT INTO link_param (rank, tier, model, name, value, unit, source, reason) SELECT DISTINCT rank, tier, 'LogGPS', 'age',
		iif(tier = 'node', 3 * 86400 + 5, 119), 's', 'unconfirmed', iif(tier = 'node', 'an earlier launch', 'tryst calibrate')
		FROM link_param WHERE tier <> 'self'"
"$TRYST" report -v --width 999 unconfirmed.db >got 2>&1
expect "LINKS tells their age and who measured them" "$(sed -n 's/^\(n[a-z]* (.*)\); short.*/\1/p' got)" \
	"node (ranks 0-3, unconfirmed, measured 3 days ago by an earlier launch)
network (ranks 0-3, unconfirmed, measured 119 s ago by tryst calibrate)"
check "the verdict says by what it predicts" grep -q "^Verdict: .* Predictions rest on unconfirmed link numbers, of several sets:\
 this launch could not measure (see LINKS)\.$" got
expect "no advice names S" "$(grep -ci "raising S\|raise S" got)" 0
check "what is left out is told of" grep -q "Advice that depends on the link's numbers is left out: they are unconfirmed (see LINKS)" got
expect "what helps against a cause that was told by them is not said" \
	"$(sed -n '/^WAITS by protocol and cause/,/^$/s/^[a-z]* *\(flow_control\|contention\) .*  //p' got | sort -u | grep -v '^(unconfirmed)$')" ""
# late receivers become flow control, which one side knows by S_p alone
sqlite3 unconfirmed.db "UPDATE wait_cell SET code = code - (2 << 18) + (5 << 18) WHERE code >> 18 & 15 = 2"
"$TRYST" report --one-side --width 999 -s verdict,bottlenecks,causes unconfirmed.db >got 2>&1
check "so does the verdict of one side" grep -q "^Verdict: .* Predictions rest on unconfirmed link numbers" got
expect "nor does one side's advice name S" "$(grep -c "raise S" got)" 0
check "nor does it say what helps against causes that it has by them" grep -q "^flow_control .*(unconfirmed)$" got
check "for machines" sh -c '"$1" report -f csv -s links unconfirmed.db | grep -q "^links,node,.*,unconfirmed,259205.0,an earlier launch$"' sh "$TRYST"
sqlite3 unconfirmed.db "UPDATE link_param SET value = 7200 WHERE name = 'age'; UPDATE link_param SET reason = 'tryst calibrate' WHERE name = 'age'"
check "one set is told of in the verdict" sh -c '"$1" report --width 999 -s verdict unconfirmed.db |
	grep -q "unconfirmed link numbers, measured 2 hours ago by tryst calibrate: this launch"' sh "$TRYST"

# Three hosts, one of each kind, and a fourth like the second: only rank 2 tells its link to the second from one to any.
cp dead/run.db kinds.db
sqlite3 kinds.db "CREATE TEMP TABLE other AS SELECT * FROM link_param WHERE tier = 'network' AND peer IS NULL AND rank = 0;
	UPDATE other SET value = value * 2;
	UPDATE other SET rank = 2, peer = 1; INSERT INTO link_param SELECT * FROM other;
	UPDATE other SET rank = 1, peer = 2; INSERT INTO link_param SELECT * FROM other;
	UPDATE other SET rank = 3; INSERT INTO link_param SELECT * FROM other;
	UPDATE other SET rank = 0; INSERT INTO link_param SELECT * FROM other"
expect "links to hosts of every kind are told" "$("$TRYST" report --width 400 -s links kinds.db |
	sed -n 's/^network (\(.*\).s, .*/\1/p')" "ranks 0,1,3 to hosts like rank 2
rank 2 to hosts like rank 1"

# Between the hosts of ranks 0 and 1 and those of 2 and 3 eager messages end earlier.
cp dead/run.db kinds.db
sqlite3 kinds.db "INSERT INTO run VALUES (0, 'host_kind', '0'), (1, 'host_kind', '0'), (2, 'host_kind', '2'), (3, 'host_kind', '2');
	CREATE TEMP TABLE other AS SELECT * FROM link_param WHERE tier = 'network' AND peer IS NULL;
	UPDATE other SET peer = iif(rank < 2, 2, 0), value = iif(name = 'S', 3000, value); INSERT INTO link_param SELECT * FROM other"
for run in "dead/run.db 4096" "kinds.db 3000"; do
	expect "of S the advice tells that of the link" "$("$TRYST" report --no-replay --width 999 -s bottlenecks "${run% *}" |
		sed -n 's/.*Raising S (\([0-9]*\) B) is no remedy.*/\1/p' | sort -u)" "${run#* }"
done

sqlite3 bare.db "UPDATE link_param SET reason = 'not measured, learned from messages' WHERE tier = 'node';
	UPDATE wait_cell SET code = code | (1 << 32); UPDATE op_row SET code = code | (1 << 32)"
check "why learned links lack parameters is said" sh -c '"$1" report --one-side --width 999 -s verdict bare.db |
	grep -q "is predicted: link parameters are missing (not measured, learned from messages)\. "' sh "$TRYST"

# What an excess leaves unexplained is signed, what somebody waited is not.
cp dead/run.db below.db
sqlite3 below.db "UPDATE exact_cell SET other_ns = -1000 - late_ns - progress_ns - order_ns - flow_ns - contention_ns
	WHERE code >> 14 & 15 AND (code >> 12 & 3 = 3 OR rank = 1)"
"$TRYST" report --width 120 -s time,protocols below.db >got
check "nobody waits for less than nothing" sh -c 'grep -q "^  waiting in messages .* 0 ns  *1  " got && grep -q "^recv  rendezvous.* 0 ns" got && ! grep " -[0-9]" got'
"$TRYST" report --width 120 -s causes below.db >got
check "no cause waits for less than nothing, and the error of predictions is no wait" sh -c '! grep " -[0-9]" got &&
	grep -q "^Other calls took [0-9.]* [mu]s less than predicted. This is an error of the predictions, not a wait\.$" got'
expect "CSV has no negative cause" "$("$TRYST" report -f csv -s causes below.db | grep -c ",-[0-9]")" 0
expect "shares are of what was waited" "$("$TRYST" report -f csv -s causes below.db |
	awk -F, '$6 > 0 { sum += $6; n++ } END { printf "%d, %.1f", (n > 1), sum }')" "1, 100.0"
sqlite3 below.db "UPDATE exact_cell SET other_ns = -1000000000; DELETE FROM collective_wait_row"
check "nor by the verdict" grep -q " 0.0 % of the ranks' time up to their last record is waiting" <<END
$("$TRYST" report --width 900 -s verdict below.db)
END

# one side is one side, also after both were put together
"$TRYST" report -v dead >both
check "both sides are known" grep -q "seen from both sides" both
"$TRYST" report -v --width 80 --one-side dead >after
cp -r dead apart
rm apart/run.db
"$TRYST" report -v --width 80 --one-side apart >got
check "with --one-side nothing else is shown" diff -u got after
check "which says so" grep -q "^One side of each message alone" after
check "and that first messages have no waits" grep -q "^MESSAGES by protocol: a pair's first one has no wait here" after
expect "as they have where both sides are known" "$(grep "^MESSAGES by protocol" both)" "MESSAGES by protocol"

# A message that nobody received leaves the waits in collectives what they are.
cp dead/run.db lonely.db
sqlite3 lonely.db "DELETE FROM match_row; UPDATE match_info SET value = 0 WHERE key = 'messages'"
"$TRYST" report -s summary,collectives lonely.db >got 2>&1
check "no message has a partner, and collectives have waits" grep -q "WAITS in collectives" got
expect "which is told of all sides" "$(grep -c "^One side" got)" 0

# Of collectives that a member's computing kept it is told what helps, and messages have no waits for that.
cp dead/run.db posted_coll.db
sqlite3 posted_coll.db "DELETE FROM exact_cell; DELETE FROM match_row;
	UPDATE collective_wait_row SET code = (code & 1023) + (7 << 10) WHERE rank = 0"
"$TRYST" report --width 200 -s causes,collectives posted_coll.db >got 2>&1
check "that collectives alone waited is told" grep -q "^No waits in messages seen\.$" got
check "MPI_Test in between helps" sh -c 'tail -1 got | grep -q "^late_progress: .*MPI_Test there in between helps"'
expect "where they waited for that" "$("$TRYST" report -s collectives dead | grep -c MPI_Test)" 0

# A call that completed messages and collectives: what both sides take from the messages is the collectives'.
in_collectives() {
	"$TRYST" report -f csv -s time "$1" | awk -F, '$2 == "in collectives" { print $3 }'
}
cp dead/run.db mixed.db
sqlite3 mixed.db "UPDATE exact_cell SET blocked_ns = blocked_ns - 1000 * count WHERE rank = 2"
expect "time of a call that is not the messages' is in collectives" $(($(in_collectives mixed.db) - $(in_collectives dead))) \
	"$(sqlite3 mixed.db "SELECT 1000 * sum(count) FROM exact_cell WHERE rank = 2")"

# Links that are known but for what no measurement tells apart are not why messages have no prediction.
cp dead/run.db odd.db
sqlite3 odd.db "UPDATE wait_cell SET code = code | (1 << 32) WHERE NOT code >> 32 & 1;
	UPDATE link_param SET value = NULL, reason = 'only the sum is known' WHERE name = 'L'"
expect "there are such sums, on links whose S is known" "$(sqlite3 odd.db "SELECT count(*) > 0 FROM link_param l JOIN
	link_param s USING (rank, tier) WHERE l.name = 'L' AND l.reason LIKE 'only the sum%' AND l.tier <> 'self'
	AND s.name = 'S' AND s.value IS NOT NULL")" 1
"$TRYST" report --width 900 -s verdict odd.db >got
check "what is only known as a sum is no reason" grep -q "is predicted: link parameters are missing" got
sqlite3 odd.db "UPDATE link_param SET value = NULL, reason = 'no time left' WHERE name = 'S'"
"$TRYST" report --width 900 -s verdict odd.db >got
check "that S is not known is one" grep -q "is predicted: link parameters are missing (no time left)" got

# Where the waits of a rank are lost, those that are known are the least.
cp -r dead gone
rm gone/run.db gone/rank-000002.db
"$TRYST" report --width 900 -s verdict gone >got
check "shares without a rank's waits are told as lower bounds" grep -q \
	"of 1 of 4 ranks nothing is known; of the others: at least [0-9.]* % of " got
"$TRYST" report --width 900 -s verdict --one-side gone >got
check "as one side knows them, too" grep -q "of the others: at least [0-9.]* % of " got
cp dead/run.db part.db
sqlite3 part.db "INSERT OR REPLACE INTO run (rank, key, value) VALUES (1, 'missing_chunks', 2)"
check "so are those without a part of the spool" sh -c '"$1" report --width 900 -s verdict part.db | grep -q "At least [0-9.]* % of "' \
	sh "$TRYST"
expect "and no others" "$("$TRYST" report --width 900 -s verdict dead | grep -ci "at least [0-9.]* %")" 0
cp dead/run.db abort.db
sqlite3 abort.db "INSERT OR IGNORE INTO call_name VALUES (1001, 'MPI_Abort');
	UPDATE in_call_row SET call = (SELECT id FROM call_name WHERE name = 'MPI_Abort') WHERE id >> 40 = 2"
check "the verdict names who ended the job" sh -c '"$1" report --width 900 -s verdict abort.db |
	grep -q "never returned.*\. Rank 2 called MPI_Abort at simulated+"' sh "$TRYST"
sqlite3 abort.db "UPDATE in_call_row SET call = (SELECT id FROM call_name WHERE name = 'MPI_Abort') WHERE id >> 40 = 1"
check "of several at one place all" sh -c '"$1" report --width 900 -s verdict abort.db |
	grep -q "\. Ranks 1,2 called MPI_Abort at simulated+0x[0-9a-f]*\."' sh "$TRYST"
sqlite3 abort.db "UPDATE in_call_row SET callsite = (SELECT min(callsite) FROM site_row WHERE rank = 1) WHERE id >> 40 = 1"
check "and at several" sh -c '"$1" report --width 900 -s verdict abort.db |
	grep -q "\. Rank 1 called MPI_Abort at simulated+0x[0-9a-f]*\. Rank 2 called MPI_Abort at simulated+"' sh "$TRYST"

"$TRYST" report --width 80 -s summary,losses,time,pairs dead/rank-000001.db >got 2>&1
golden report-one-rank-80

# Rows were kept up to some time alone: the profiles have what they lack.
check "a run is simulated" "$spoolgen" -n 4 -r 500 -l 30 -s 5 cut >/dev/null
check "its ranks are collected" to collect "$TRYST" collect cut
for rank in 0 1 2 3; do
	sqlite3 cut/rank-00000$rank.db "
		CREATE TEMP TABLE cut AS SELECT (SELECT post FROM op_row ORDER BY id LIMIT 1 OFFSET 300) AS post;
		INSERT INTO busy_row SELECT ($rank << 40) + row_number() OVER (ORDER BY post), post, span, 0
		FROM (SELECT post, span FROM op_row UNION ALL SELECT post, span FROM coll_row)
		WHERE post < (SELECT post FROM cut);
		INSERT INTO busy_row SELECT ($rank << 40) + 999999, value - 100, 100, 0 FROM run WHERE key = 'end_ns';
		INSERT OR REPLACE INTO run SELECT $rank, 'dropped_' || name, n FROM (SELECT 'ops' AS name,
		count(*) AS n FROM op_row WHERE post > (SELECT post FROM cut) UNION ALL SELECT 'busy', 99
		UNION ALL SELECT 'collective', count(*) FROM coll_row WHERE post > (SELECT post FROM cut));
		DELETE FROM op_row WHERE post > (SELECT post FROM cut);
		DELETE FROM coll_row WHERE post > (SELECT post FROM cut)"
done
"$TRYST" report --width 80 -s losses,verdict,time,protocols,causes,callsites,pairs,collectives,blame,path cut >got 2>&1
golden report-cut-80
expect "programs read how many rows are missing, where" "$("$TRYST" report -f csv -s losses cut | grep "^losses,dropped_ops," | cut -d, -f 3-5)" \
	"$(sqlite3 cut/run.db "SELECT '0-3,' || sum(value) || ',rows' FROM run WHERE key = 'dropped_ops'")"
sqlite3 cut/run.db "SELECT (SELECT count(*) FROM input) || ',' || (SELECT max(value) FROM run WHERE key = 'world_size') || ',' ||
	(SELECT max(value) FROM run WHERE key = 'end_ns') || ',' || (SELECT value FROM match_info WHERE key = 'messages')" >wanted
expect "and ranks, run time and messages" "$("$TRYST" report -f csv -s summary cut | sed -n 2p | cut -d, -f 3,4,7,12)" "$(cat wanted)"
expect "and tryst's own time" "$("$TRYST" report -f csv -s overhead cut | sed -n 2p | cut -d, -f 2)" \
	"$(sqlite3 cut/run.db "SELECT sum(tool_ns) FROM call_cell WHERE call NOT IN (SELECT id FROM call_name
	WHERE name IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'))")"
cp cut/run.db full.db
sqlite3 full.db "INSERT INTO run (rank, key, value) VALUES (0, 'lost_reason', 'No space left on device')"
"$TRYST" report --width 999 -s losses,verdict,causes full.db >got
check "where most are missing since they were too many the verdict tells that" grep -q "as seen live (--max-ops keeps more)" got
sqlite3 full.db "INSERT INTO run (rank, key, value) VALUES (1, 'lost_reason', 'No space left on device'),
	(2, 'lost_reason', 'No space left on device'), (3, 'lost_reason', 'No space left on device')"
"$TRYST" report --width 999 -s losses,verdict,causes full.db >got
check "and otherwise what the system said" grep -q "as seen live (they could not be written: No space left on device)" got
expect "and does not advise what would not help" "$(grep -c -e --max-ops got)" 0
cp cut/run.db polls.db
sqlite3 polls.db "INSERT INTO call_name VALUES (1000, 'MPI_Iprobe');
	UPDATE call_cell SET call = 1000 WHERE call = (SELECT id FROM call_name WHERE name = 'MPI_Recv')"
expect "waits without rows are told of the waiting, not of what is besides it" "$("$TRYST" report --width 999 -s verdict polls.db |
	grep -o 'Of the waiting.*Another [0-9.]* % is polling.*and what such a loop did between these calls\.' | wc -l)" 1
expect "what the rows lack is what the profile has beyond them" "$("$TRYST" report -f csv -s causes cut |
	sed -n 's/,not_recorded,[^,]*,\([^,]*\),.*/\1/p' | sed 's/^[^0-9]*//')" \
	"$("$TRYST" sql -f csv cut "SELECT (SELECT sum(wait_ns) FROM wait_profile) - (SELECT sum(wait_ns) FROM op)" | tail -1)"

# Every section answers in every format, of a run and of one rank.
for what in dead dead/rank-000001.db; do
	for format in text csv json; do
		check "$what: a report in $format" to "report.$format" "$TRYST" report -f $format $what
		expect "$what: nothing is said about it" "$(cat report.$format.err)" ""
	done
	check "$what: it is JSON" to tidy python3 -m json.tool report.json
done
expect "help lists all sections" "$("$TRYST" report --help | tr -d '\n' | sed 's/.*only these: //; s/ *\[all\].*//' |
	tr -s ' ')" "$(sed -n 's/^"\([a-z]*\)": \[.*/\1/p' report.json | tr '\n' ',' | sed 's/,$//; s/,/, /g')"

# One that ended well, in which nobody waits.
check "a run is simulated" "$spoolgen" -n 2 -r 50 -l 0 -s 3 well >/dev/null
"$TRYST" report -v --width 80 well >got 2>&1
golden report-well-80
"$TRYST" report well >got 2>&1
golden screen-well

# The run has one length, also if rank 0 leaves MPI_Init 10 ms before rank 1.
check "a run is simulated" "$spoolgen" -n 2 -r 6 -l 50 -s 1 skewed >/dev/null
"$TRYST" report skewed >got 2>&1
cp skewed/run.db skewed.db
sqlite3 skewed.db "UPDATE op_row SET post = post + 10000000 WHERE id >> 40 = 0; UPDATE coll_row SET post = post + 10000000
	WHERE id >> 40 = 0; UPDATE run SET value = value + 10000000 WHERE rank = 0 AND key = 'end_ns'"
"$TRYST" report --width 400 skewed.db >got 2>&1
expect "summary, verdict, time, and what bottlenecks are worth tell one length of the run" \
	"$(grep -o 'ran [0-9.]* ms\|the run of [0-9.]* ms\|run.s [0-9.]* ms\|[0-9.]* ms elapsed' got | grep -o '[0-9.]* ms' | sort -u)" "11.6 ms"
expect "no gain is longer" "$("$TRYST" report -f json -s summary,bottlenecks,remedies skewed.db | python3 -c "
import json, sys
d = json.load(sys.stdin)
run = d['summary'][0]['run_ns']
print(sum(r['worth_ns'] > run for r in d['bottlenecks']) + sum(r['gain_ns'] > run for r in d['remedies']))")" 0

# Chance may change a run by more than its length.
check "a run is simulated" "$spoolgen" -n 2 -r 10 -l 0 -s 2 uneven >/dev/null
"$TRYST" report --width 400 uneven >got 2>&1
expect "nothing is said to be worth less than more than the run" "$(grep -c 'worth less' got)" 0
check "the worth is unknown" grep -q "^5 bottlenecks have .* of waits\. Their worth is unknown: the times of calls vary too much\.$" got

check "16 ranks are simulated" "$spoolgen" -n 16 -r 200 -l 30 -s 3 wide >/dev/null
"$TRYST" report wide >got 2>&1
check "the screen of 16 ranks has at most 45 lines: $(wc -l <got)" test "$(wc -l <got)" -le 45
check "16 ranks that die are simulated" "$spoolgen" -n 16 -r 200 -o -s 3 wide_dead >/dev/null
"$TRYST" report wide_dead >dead.got 2>&1
check "their screen has at most 50 lines: $(wc -l <dead.got)" test "$(wc -l <dead.got)" -le 50
expect "of at most 80 columns" "$(awk 'length > 80' got)" ""
expect "with all ranks" "$(grep -oE '(^| ) {0,2}[0-9]{1,2} [#wcpm?! ]{9} *[0-9]+ %' got | wc -l)" 16
expect "in a pipe there is no colour, and no width but 80 columns" "$(COLUMNS=200 TERM=xterm "$TRYST" report wide | cmp - got)" ""
if command -v script >/dev/null; then
	TERM=xterm script -qec "stty cols 132; '$TRYST' report wide" /dev/null </dev/null >terminal
	check "on a terminal titles are bold" grep -q "$(printf '\033')\[1mTIME" terminal
	NO_COLOR=1 TERM=xterm script -qec "'$TRYST' report wide" /dev/null </dev/null >terminal
	expect "not with NO_COLOR" "$(grep -c "$(printf '\033')" terminal)" 0
fi
expect "who asks what is pending gets an answer" "$("$TRYST" report -s pending well)" "Nothing is pending."

# A synchronous send's receiver sees a short message: with both sides known its row is the sender's.
cp -r well ssend
rm -f ssend/run.db
for rank in 0 1; do
	sqlite3 ssend/rank-00000$rank.db "UPDATE op_row SET code = code - (2 << 16) WHERE code >> 10 & 3 = 2
		AND code >> 16 & 3 = 3;
		UPDATE wait_cell SET code = code - (2 << 16) WHERE code >> 10 & 3 = 2 AND code >> 16 & 3 = 3"
done
expect "one side counts it as short" "$("$TRYST" report --one-side -f csv -s protocols ssend | grep -c rendezvous)" 1
expect "a row of messages is of one protocol in all columns" "$("$TRYST" report -f csv -s protocols ssend)" \
	"$("$TRYST" report -f csv -s protocols well)"
blocked() {
	"$TRYST" report -f csv -s protocols "$1" | awk -F, -v kind="$2" '$2 == kind { ns += $6 } END { print ns }'
}
cp well/run.db shared.db
sqlite3 shared.db "UPDATE exact_cell SET blocked_ns = blocked_ns + iif(code >> 10 & 3 = 2, 1, -1) * count"
expect "its time is shared as both sides tell it" \
	"$(($(blocked shared.db recv) - $(blocked well recv))) $(($(blocked shared.db send) - $(blocked well send)))" "94 -94"

# Who waits in what completes receives is not said to wait in their posts.
cp dead/run.db posted.db
sqlite3 posted.db "DELETE FROM exact_cell WHERE code & 1023 <> (SELECT id FROM call_name WHERE name = 'MPI_Irecv')"
check "the verdict names both calls" grep -q "most in MPI_Wait at simulated+0x600, for MPI_Irecv at simulated+0x500\." <<END
$("$TRYST" report --width 400 -s verdict posted.db)
END

sqlite3 posted.db "UPDATE exact_cell SET late_ns = late_ns + 1000000000"
check "nor the other way round" grep -q "most in MPI_Irecv at simulated+0x500\." <<END
$("$TRYST" report --width 400 -s verdict posted.db)
END
expect "nor in the table" "$("$TRYST" report -f csv -s callsites posted.db | grep -c "MPI_Irecv.*MPI_Wait")" 0

# A bottleneck is where its own waits were, whatever the same posts waited for otherwise.
cp dead/run.db other_cause.db
sqlite3 other_cause.db "INSERT INTO exact_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, waits, blocked_ns,
	excess_ns, late_ns, progress_ns, order_ns, flow_ns, contention_ns, other_ns, receives_too, live_ns, live_blocked_ns,
	max_lateness_ns, max_bytes) SELECT 0, 5, id | (2 << 10) | (3 << 12) | (3 << 14) | (3 << 19), 1, 1, 17, 10, 1000000, 10, 5000000,
	5000000, 0, 5000000, 0, 0, 0, 0, 0, 5000000, 5000000, 900000, 100000 FROM call_name WHERE name = 'MPI_Irecv'"
"$TRYST" report --no-replay --width 999 -s bottlenecks -n 100 other_cause.db >got
check "waits of one cause were in the call that completes" grep -q \
	"lost in MPI_Wait at simulated+0x600, for MPI_Irecv at simulated+0x500: " got
check "those of another one in the post itself" grep -q "^5\.00 ms lost in MPI_Irecv at simulated+0x500: 10 rendezvous" got

# Sizes are known to the power of two, but where all messages have the largest one.
sqlite3 other_cause.db "UPDATE exact_cell SET bytes_log2 = 10, max_bytes = 1000, count = 100, waits = 10, bytes = 100 * 1000
	WHERE late_ns = 0 AND progress_ns = 5000000"
check "messages of one size are told to be" sh -c '"$1" report --no-replay --width 999 -s bottlenecks -n 100 other_cause.db |
	grep -q "10 rendezvous messages of 1000 B between"' sh "$TRYST"
sqlite3 other_cause.db "UPDATE exact_cell SET bytes = 100 * 1000 - 200 WHERE late_ns = 0 AND progress_ns = 5000000"
check "others have no less than what the rest leaves" sh -c '"$1" report --no-replay --width 999 -s bottlenecks -n 100 other_cause.db |
	grep -q "10 rendezvous messages of 800 B to 1000 B between"' sh "$TRYST"
sqlite3 other_cause.db "UPDATE exact_cell SET bytes = 70 * 1000 WHERE late_ns = 0 AND progress_ns = 5000000"
check "nor than what all of them have" sh -c '"$1" report --no-replay --width 999 -s bottlenecks -n 100 other_cause.db |
	grep -q "10 rendezvous messages of 512 B to 1000 B between"' sh "$TRYST"

# What was lost is one thing in all rows, and they stand in its order: whole waits, be a part of them unexplained or all.
sqlite3 other_cause.db "UPDATE exact_cell SET other_ns = 2000000, order_ns = 1000000 WHERE late_ns = 0 AND progress_ns = 5000000;
	INSERT INTO exact_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, waits, blocked_ns, excess_ns, late_ns,
	progress_ns, order_ns, flow_ns, contention_ns, other_ns, receives_too, live_ns, live_blocked_ns, max_lateness_ns, max_bytes)
	SELECT 0, 5, id | (2 << 10) | (3 << 12) | (9 << 14) | (3 << 19), 1, 1, 17, 10, 1000000, 10, 90000000,
	90000000, 0, 0, 0, 0, 0, 90000000, 0, 0, 0, 0, 100000 FROM call_name WHERE name = 'MPI_Irecv'"
"$TRYST" report --no-replay --width 999 -s bottlenecks -n 100 other_cause.db >got
check "what is unexplained stands first if it cost most" sh -c 'sed -n 2p got | grep -q "^90\.[0-9] ms lost in .*MPI_Irecv at simulated+0x500: .* rendezvous"'
check "parts of other causes are lost as well" grep -q "^8\.00 ms lost in .*MPI_Irecv at simulated+0x500: 10 rendezvous" got
check "how much has the cause that is named is told" grep -q "late progress, .* for 500 us on average.*\. That is 6[23] % of what was lost; the rest" got
expect "machines read the same" "$("$TRYST" report --no-replay -f csv -s bottlenecks -n 100 other_cause.db |
	awk -F, '/^bottlenecks,.*MPI_Irecv,rendezvous,(unexplained|late_progress)/ {
		print $5, ($5 == "unexplained" ? int($10 / 1000000) " " int($7 * $12 / 1000000) : $10 " " $12) }' | sort -r | head -2)" "unexplained 90 90
late_progress 8000000 500000"
expect "losses fall" "$("$TRYST" report --no-replay -f csv -s bottlenecks -n 100 other_cause.db |
	awk -F, '/^bottlenecks,/ { up += n++ && $10 > last; last = $10 } END { print (n > 5), up + 0 }')" "1 0"

# Ranks that wait for each other have hung from their last records on: of the time until then nothing is said of all.
cp dead/run.db hung.db
for factor in 5 20; do
	sqlite3 hung.db "INSERT OR REPLACE INTO run SELECT rank, 'found_dead_ns', $factor * (SELECT max(CAST(value AS INTEGER))
		FROM run WHERE key = 'end_ns') FROM run WHERE key = 'clean_finalize' AND NOT value"
	for how in '' --one-side; do
		"$TRYST" report $how --width 900 -s verdict,losses hung.db >got
		expect "$factor times as long as is known $how" "$(grep -c "^Verdict: .* wait for each other in a ring\. .*The share of waiting is unknown: \
the last record is of [0-9.]* ms after MPI_Init, and the job ended by [0-9.]* m*s\. *$" got) $(grep -c \
			"% of the ranks' time up" got) $(grep -c "no call was recorded" got)" "$([ "$factor" = 5 ] || [ "$how" ] && echo "0 1 0" || echo "1 0 0")"
	done
done

# Programs of one job, each with its ranks; one alone is as it was.
cp dead/run.db several.db
sqlite3 several.db "DELETE FROM run WHERE key IN ('arguments', 'program');
	INSERT INTO run SELECT rank, 'arguments', iif(rank = 1, './ocean -n 3', './air') FROM input"
expect "all programs are named" "$("$TRYST" report --width 400 -s summary several.db | sed -n 1p)" \
	"./air (ranks 0,2,3) : ./ocean -n 3 (rank 1)"
sqlite3 several.db "UPDATE run SET value = value || rank WHERE key = 'arguments'"
expect "unless they are many" "$("$TRYST" report --width 400 -s summary several.db | sed -n 1p)" \
	"./air0 (rank 0) : ./ocean -n 31 (rank 1) : ./air2 (rank 2) : ... and 1 more"
sqlite3 several.db "UPDATE run SET value = './air' WHERE key = 'arguments'"
expect "one program has all ranks" "$("$TRYST" report --width 400 -s summary several.db | sed -n 1p)" ./air

# Nor need the protocol be known: a send that outlasts the post of its receive waited for that.
cp dead/run.db no_protocol.db
sqlite3 no_protocol.db "UPDATE exact_cell SET code = code & ~(3 << 12) WHERE code >> 14 & 15 = 2"
check "late receivers of messages of an unknown protocol are bottlenecks" grep -q "lost in MPI_Send at simulated+0x200: 129 messages" <<END
$("$TRYST" report --no-replay --width 999 -s bottlenecks no_protocol.db)
END

# An end that nobody saw lies between two times, where they are told apart.
cp dead/run.db ended.db
sqlite3 ended.db "CREATE TEMP TABLE e AS SELECT rank FROM run WHERE key = 'clean_finalize' AND NOT value;
	UPDATE run SET value = iif(rank = (SELECT min(rank) FROM e), 2000000, 4000000) WHERE key = 'end_ns';
	INSERT OR REPLACE INTO run SELECT rank, 'found_dead_ns', 4001000 FROM e"
ran() {
	"$TRYST" report --width 400 -s summary ended.db | grep -o "ran .* after MPI_Init"
}
expect "bounds that read the same are one time" "$(ran)" "ran 4.00 ms after MPI_Init"
sqlite3 ended.db "UPDATE run SET value = 6000000 WHERE key = 'found_dead_ns'"
expect "others are both told" "$(ran)" "ran at least 4.00 ms and at most 6.00 ms after MPI_Init"

# Who sleeps outside MPI does not compute. The kernel's account is one thread's.
cp well/run.db sleeps.db
sqlite3 sleeps.db "INSERT INTO run VALUES (0, 'cpu_ns', 1000), (0, 'cpu_wait_ns', 500), (1, 'cpu_ns', 1000),
	(1, 'cpu_wait_ns', 500)"
expect "sleeping outside MPI is told" "$("$TRYST" report --width 400 -s verdict sleeps.db | grep -o 'slept for .* of their time')" \
	"slept for at least 307 us outside MPI, 15 % of their time"
sqlite3 sleeps.db "INSERT INTO call_cell SELECT rank, 1, call, callsite, 1, 0, 1, 1, 0, 0 FROM call_cell"
expect "not of several threads" "$("$TRYST" report --width 400 -s verdict sleeps.db | grep -c "slept for")" 0

# Ranks lacked a CPU: advice is withheld, also that by the cause alone, and of one side.
cp well/run.db lacking.db
sqlite3 lacking.db "INSERT INTO run VALUES (0, 'cpu_wait_ns', 500000), (1, 'cpu_wait_ns', 500000)"
expect "the verdict begins with lost CPUs, which withhold advice" "$("$TRYST" report --width 999 -s verdict lacking.db |
	grep -c "^Verdict: CPU shortage: .* Waits below include that, and advice is withheld\. Give each rank a CPU of its own, or end other work, and repeat the run\. ")" 1
expect "so is advice by the cause" "$("$TRYST" report --no-replay --width 999 -s bottlenecks lacking.db |
	sed -n 's/^  do: //p' | sort -u)" "advice is withheld: ranks lacked a CPU."
expect "and that of one side" "$("$TRYST" report --one-side --width 999 -s bottlenecks lacking.db | grep -c "remedy: ")" \
	"$("$TRYST" report --one-side --width 999 -s bottlenecks lacking.db | grep -c "remedy: withheld, because ranks lacked a CPU$")"

# A cause that is but a part of waits with another one has no count of its own.
sqlite3 well/run.db "UPDATE exact_cell SET progress_ns = progress_ns + 9 WHERE code >> 14 & 15"
expect "time without a count" "$("$TRYST" report -f csv -s causes well | grep late_progress | cut -d, -f3,4 | sort -u)" \
	"late_progress,"

# Sections speak of the same waits; what is no cause is not among the causes for programs.
for what in well lost; do
	[ -d $what ] || "$spoolgen" -n 2 -r 50 -l 30 -s 3 $what >/dev/null
	expect "$what: messages have the waits that their causes have" \
		"$("$TRYST" report -f csv -s protocols $what | awk -F, 'NR > 1 { ns += $8 } END { print ns }')" \
		"$("$TRYST" report -f csv -s causes $what | awk -F, 'NR > 1 { ns += $5 } END { print ns }')"
done
rm -rf lost

# A message that nobody received is named with its sender.
cp -r well unreceived
rm -f unreceived/run.db
sqlite3 unreceived/rank-000001.db "DELETE FROM op_row WHERE id = (SELECT max(id) FROM op_row WHERE code >> 10 & 3 = 2
	AND code >> 14 & 3 = 0)"
expect "a message that nobody received" "$("$TRYST" report --width 400 -s summary unreceived | grep Nobody |
	sed 's/tag [0-9]*, [0-9].*/TAG/')" \
	"Nobody received 1 message, sent by rank 0; the first one by MPI_Send at simulated+0x200 to rank 1, TAG"
sqlite3 unreceived/rank-000000.db "DELETE FROM op_row WHERE id = (SELECT min(id) FROM op_row WHERE code >> 10 & 3 = 2
	AND code >> 14 & 3 = 0)"
expect "of several the first one in time" "$("$TRYST" report --width 400 -s summary unreceived | grep Nobody |
	sed 's/tag [0-9]*, [0-9].*/TAG/')" \
	"Nobody received 2 messages, sent by ranks 0,1; the first one by MPI_Send at simulated+0x200 to rank 0, TAG"
expect "one side does not know" "$("$TRYST" report -s summary --one-side unreceived | grep -c Nobody)" 0

# Time in windows and files is named where it is much: it may be waiting, which nobody can tell.
cp well/run.db windows.db
sqlite3 windows.db "INSERT INTO call_name VALUES (1003, 'MPI_Win_fence'), (1004, 'MPI_File_sync');
	INSERT INTO call_cell SELECT rank, 0, 1003, 1, 7, 0, value / 2, value / 2, 0, 0 FROM run WHERE key = 'end_ns';
	INSERT INTO call_cell SELECT rank, 0, 1004, 2, 7, 0, value / 4, value / 4, 0, 0 FROM run WHERE key = 'end_ns'"
for side in "" --one-side; do
	expect "fences and files are much $side" "$("$TRYST" report --width 200 -s verdict $side windows.db | tr -s '\n' ' ' | tr -s ' ' |
		sed -n 's/.*\(Another.*calls\), most in \(.*\) at .*: \(.*is unknown\)\. $/\1, \2, \3/p')" \
		"Another 75.0 % is in one-sided, file and communicator calls, MPI_Win_fence, how much of it is \
waiting for others is unknown"
done
check "waiting is not said to be no problem" sh -c '! "$1" report -s verdict windows.db | grep "not the problem"' \
	sh "$TRYST"
# Blame has waits in fences, too: of which waits most are for one rank is said.
sqlite3 windows.db "INSERT INTO blame_cell (rank, what, callsite, after, direct, passed)
	SELECT 0, 1, 65001, 65002, sum(direct + passed) * 3, 0 FROM blame_cell"
expect "who is to blame for waits in windows is not to blame for messages" "$("$TRYST" report --width 400 -s verdict windows.db |
	grep -o 'Of that and of waits in windows and files [0-9]* % is for rank 0')" \
	"Of that and of waits in windows and files 87 % is for rank 0"
"$TRYST" report --width 999 -s verdict windows.db >got
check "how much was waited there is told then" grep -q "is waiting in messages and collectives, .* most in MPI_Win_fence at .*: at \
least [0-9.]* % of the ranks' time is waiting for others there, see BLAME\.$" got
expect "it is three times what the others are" "$(awk '{ match($0, /Verdict: [0-9]+/); all = substr($0, RSTART + 9, RLENGTH - 9)
	match($0, /at least [0-9.]+/); print int(substr($0, RSTART + 9, RLENGTH - 9) / all + 0.5) }' got)" 3
check "by both sides alone" sh -c '"$1" report --width 999 --one-side -s verdict windows.db | grep -q "for others is unknown"' sh "$TRYST"
# Of the waiting most is nobody's: it is for rank 0 no more than what blame gives it is of all of it.
cp well/run.db nobody.db
sqlite3 nobody.db "UPDATE exact_cell SET other_ns = 2000000 WHERE code >> 14 & 15 = 9;
	DELETE FROM blame_cell; INSERT INTO blame_cell (rank, what, callsite, after, direct, passed)
	VALUES (0, 1, 1, 2, 256 * 90000, 0), (1, 1, 1, 2, 256 * 10000, 0)"
expect "who is to blame for little of the waiting is not named for all of it" "$("$TRYST" report --width 999 -s verdict \
	nobody.db | grep -c "is for rank")" 0
check "its share is of the waiting" sh -c '"$1" report -f json -s verdict nobody.db | python3 -c "
import json, sys
verdict = json.load(sys.stdin)[\"verdict\"][0]
sys.exit(abs(verdict[\"late_rank_pct\"] - 100 * 90000 / verdict[\"wait_ns\"]) > 1)"' sh "$TRYST"
expect "what they took is shown" "$("$TRYST" report -f csv -s time windows.db |
	awk -F, '$2 == "in other calls" { printf "%.0f", $4 }')" 75

# Transfers that went on no sooner than they were completed are no waits, and are told of where they are much.
cp well/run.db hidden.db
sqlite3 hidden.db "DELETE FROM unhidden_cell; INSERT INTO unhidden_cell SELECT 0, 2, n.id | (2 << 10) | (3 << 12), w.id | (3 << 10), 1, 20, 10,
	(SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns') / 10, 1000000 FROM call_name n, call_name w
	WHERE n.name = 'MPI_Irecv' AND w.name = 'MPI_Wait'"
"$TRYST" report --no-replay --width 999 -s verdict,bottlenecks hidden.db >got
check "unhidden transfers stand in the verdict" grep -q "^Verdict: .* Another 10.0 % is transfers that did not go on before \
they were completed, most in MPI_Irecv at simulated" got
check "and among what costs time" grep -q "lost in MPI_Irecv at simulated.*: 10 rendezvous messages of 512 KiB to .* between 1 pair" got
check "with the call in which they moved" grep -q "why: unhidden transfer, .* of each moved only in MPI_Wait at simulated" got
check "what helps is to call MPI" grep -q "do: call MPI while computing (MPI_Test), or" got
for format in csv json; do
	check "as in $format" sh -c '"$1" report --no-replay -f $2 -s bottlenecks hidden.db | grep unhidden_transfer |
		grep -q "call MPI while computing"' sh "$TRYST" $format
done
check "in a column of their own" sh -c '"$1" report --no-replay -f json -s bottlenecks hidden.db | python3 -c "
import json, sys
rows = json.load(sys.stdin)[\"bottlenecks\"]
hidden = [r for r in rows if r[\"cause\"] == \"unhidden_transfer\"]
sys.exit(len(hidden) != 1 or any((r in hidden) != (r[\"wait_ns\"] is None) or (r in hidden) != (r[\"unhidden_ns\"] is not None)
	for r in rows))"' sh "$TRYST"
sqlite3 hidden.db "UPDATE unhidden_cell SET unhidden_ns = unhidden_ns / 6"
expect "below 2 % they are not told of" "$("$TRYST" report --no-replay -s verdict,bottlenecks hidden.db | grep -c -e unhidden -e transfers)" 0

# A collective that was only begun where it stands: its waits are in the call that completed it.
cp well/run.db begun.db
sqlite3 begun.db "DELETE FROM exact_cell; DELETE FROM exact_done_cell; UPDATE collective_wait_row
	SET wait = 1000000, done = (SELECT id FROM call_name WHERE name = 'MPI_Wait') | (6 << 10)"
"$TRYST" report --width 999 -s verdict,collectives begun.db >got
check "the verdict tells where a nonblocking collective waits" grep -q "most in MPI_Wait at simulated+0x600, for MPI_Allreduce at \
simulated+0x700\." got
check "so does the table" grep -q "^simulated+0x700  MPI_Allreduce .*  simulated+0x600$" got
expect "and the machine's" "$("$TRYST" report -f csv -s collectives begun.db | cut -d, -f2,3,11-)" "where,call,waited_in,waited_at
simulated+0x700,MPI_Allreduce,MPI_Wait,simulated+0x600"
expect "a blocking one waits where it stands" "$("$TRYST" report -f csv -s collectives well | cut -d, -f11-)" "waited_in,waited_at
,"

# Who is late as much as it waits has no more work than others.
cp well/run.db turns.db
sqlite3 turns.db "DELETE FROM exact_cell; DELETE FROM exact_done_cell; DELETE FROM blame_cell; DELETE FROM blame_of_row;
	INSERT INTO exact_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, waits, blocked_ns, excess_ns,
	late_ns, progress_ns, order_ns, flow_ns, contention_ns, other_ns, receives_too, live_ns, live_blocked_ns, max_lateness_ns,
	max_bytes) SELECT rank, 3, id | (2 << 10) | (3 << 12) | (1 << 14) | (3 << 19), 1 - rank, 1, 17, 10, 1000000, 10, 5000000,
	5000000, 5000000, 0, 0, 0, 0, 0, 0, 5000000, 5000000, 900000, 100000 FROM call_name,
	(SELECT 0 AS rank UNION SELECT 1) WHERE name = 'MPI_Recv';
	INSERT INTO blame_of_row SELECT 1, code & 0x3ffff, 0, 3 FROM exact_cell LIMIT 1;
	INSERT INTO blame_cell (rank, what, callsite, after, direct, passed, of1)
	VALUES (0, 1, 2, 3, 256 * 5200000, 0, 256 * 5200000), (1, 1, 2, 3, 256 * 4800000, 0, 256 * 4800000)"
"$TRYST" report --no-replay --width 999 -s verdict,bottlenecks,causes turns.db >got
check "of ranks that are late in turns none is named" grep -q "^Verdict: .* Ranks are late in turns, none much more than the others\.$" got
check "nor is work to be moved" grep -q "do: steady the work: ranks 0,1 compute between simulated+0x300 and \
simulated+0x200, late in turns\. No rank has more work in the sum\. The time of a step varies, or the machine's, or they take turns by design" got
check "as the causes have it" grep -q "late_sender.*  steady the work$" got
# Late half as long again as the other one, and waiting two thirds as long: that one is named.
cp turns.db more.db
sqlite3 more.db "UPDATE blame_cell SET direct = iif(rank, 4, 6) * 256000000, of1 = iif(rank, 4, 6) * 256000000;
	UPDATE exact_cell SET late_ns = iif(rank, 6, 4) * 1000000"
"$TRYST" report --no-replay --width 999 -s verdict,bottlenecks more.db >got
check "who is late half as long again is late more than others" grep -q "^Verdict: .* 60 % is for rank 0: see BLAME\.$" got
check "and has work to give" grep -q "do: balance the work: rank 0 (60 % of it) computes between" got
sqlite3 turns.db "DELETE FROM exact_cell WHERE rank = 0"
"$TRYST" report --no-replay --width 999 -s verdict,bottlenecks turns.db >got
check "one of which waits for the other is" grep -q "^Verdict: .* is for rank 0: see BLAME\.$" got
check "and has work to give away" grep -q "do: balance the work: rank 0 (52 % of it) computes between" got

# Of a rank with several threads that call MPI the one is named.
sqlite3 turns.db "INSERT INTO call_cell SELECT rank, 1, call, callsite, 1, 0, 100, 100, 0, 0 FROM call_cell WHERE rank = 0 LIMIT 1;
	UPDATE blame_cell SET thread = 1 WHERE rank = 0; UPDATE OR REPLACE critical_path_cell SET thread = 1 WHERE rank = 0"
expect "times are said to be sums over threads, and how long the run took" \
	"$("$TRYST" report --width 200 -s time turns.db | sed -n '1p; 3s/  .*//p')" \
	"TIME: 1.03 ms elapsed; all ranks: the sum of 3 threads of 2 ranks; least and most: the sum of a rank's threads
run (sum of 3 threads)"
"$TRYST" report --no-replay --width 999 -s bottlenecks,blame,path turns.db >got
check "advice has its thread" grep -q "do: balance the work: rank 0 thread 1 (52 % of it) computes between" got
check "blame has" grep -q "^5\.20 ms (52\.0 %) rank 0 thread 1 computing between" got
check "of who has one thread none is told" grep -q "^4\.80 ms (48\.0 %) rank 1 computing between" got
check "so does the path" grep -q " %) rank 0 thread 1 " got
check "which says what it does not see" grep -q "^For whom a thread waits of its own rank .* is not seen" got
expect "for machines" "$("$TRYST" report -f csv -s blame turns.db | cut -d, -f2,3,5)" "rank,thread,direct_ns
0,1,5200000
1,0,4800000"

# Sends that had no room waited: they are none that cannot have waited, which one side does not know.
cp well/run.db full.db
sqlite3 full.db "INSERT INTO wait_cell SELECT 0, 9, id | (1 << 10) | (1 << 16) | (5 << 18), 1, 1, 7, 100, 6400, 57000000, 10000,
	56990000, 56990000, 600000 FROM call_name WHERE name = 'MPI_Send';
	INSERT INTO exact_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, waits, blocked_ns, excess_ns,
	late_ns, progress_ns, order_ns, flow_ns, contention_ns, other_ns, receives_too, live_ns, live_blocked_ns, max_lateness_ns,
	max_bytes) SELECT 0, 9, id | (1 << 10) | (1 << 12) | (5 << 14) | (1 << 19), 1, 1, 7, 100, 6400, 100, 57000000, 56990000, 0, 0, 0,
	56990000, 0, 0, 0, 56990000, 57000000, 0, 64 FROM call_name WHERE name = 'MPI_Send'"
expect "sends that had no room are no measure of the model" "$("$TRYST" report -f csv -s model,drift full.db)" \
	"$("$TRYST" report -f csv -s model,drift well)"
check "one side says what it cannot tell" sh -c '"$1" report --one-side --width 999 -s model,drift full.db | grep -q \
	"calls that only full buffers can have made wait took .* instead of .*: buffers were full, or the machine was busy, or"' \
	sh "$TRYST"

# What the run showed of its links beside what was measured.
for rank in 0 1; do
	sqlite3 well/rank-00000$rank.db "INSERT INTO link_param (rank, tier, model, name, bytes, value, ci_low, source)
		VALUES ($rank, 'node', 'LogGPS', 'scale', 65532, 0.5, 0.4, 'learned'),
		($rank, 'node', 'LogGPS', 'scale', 262140, 1, 0.4, 'learned');
		INSERT INTO link_param (rank, tier, form, model, name, bytes, value, ci_low, source)
		VALUES ($rank, 'node', 'recv', 'LogGPS', 'drift', 8, 5000, 100, 'learned'),
		($rank, 'node', 'send', 'LogGPS', 'drift', 8, 130, 100, 'learned');
		UPDATE wait_cell SET blocked_ns = blocked_ns + 5000 * count, excess_ns = excess_ns + 5000 * count
		WHERE code >> 10 & 3 = 1 AND code >> 16 & 3 = 2;
		INSERT INTO call_name VALUES (1001, 'MPI_Wtime'), (1002, 'MPI_Comm_rank');
		INSERT INTO call_cell VALUES ($rank, 0, 1001, 1, 1000, 0, 90000, 90, 0, 0),
		($rank, 0, 1002, 2, 1000, 0, 90000, 90, 0, 0)"
done
"$TRYST" report --width 80 -s drift,calls well >got 2>&1
golden report-drift-80

# Without link parameters what nobody explained is told as such.
check "a run is simulated" "$spoolgen" -n 2 -r 50 -l 30 -s 3 lost >/dev/null
check "its ranks are collected" to collect "$TRYST" collect lost
for rank in 0 1; do
	sqlite3 lost/rank-00000$rank.db "DELETE FROM link_param;
		UPDATE op_row SET predicted = NULL, code = (code | (1 << 32)) & ~(0x7f << 16);
		UPDATE wait_cell SET code = code | (1 << 32), predicted_ns = 0, excess_ns = 0,
		wait_ns = 0, max_wait_ns = 0"
done
"$TRYST" report --width 80 -s losses,verdict,time,causes lost >got 2>&1
expect "in JSON causes are causes alone" "$("$TRYST" report -f json -s causes lost | grep -c not_predicted)" 0
expect "no sum of an excess that is not known" "$("$TRYST" sql lost "SELECT count(*), count(excess_ns), count(other_ns)
	FROM exact_profile" 2>&1 | tr -s ' \n|' ' ' | sed 's/^.* \([0-9]* 0 0\) *$/ok/')" ok
golden report-lost-80
"$TRYST" report --width 80 -s losses,verdict,time,causes --one-side lost >got 2>&1
golden report-lost-one-side-80
for side in "" --one-side; do
	# the verdict has what is not predicted behind the waits
	expect "with all waits it is the time in messages $side" "$("$TRYST" report -f csv -s verdict,causes $side lost |
		awk -F, -v c=$((${#side} ? 4 : 5)) -v v=$((${#side} ? 0 : 17)) '$1 == "causes" { ns += $c }
			$1 == "verdict" { ns += v ? $v : $NF } END { print ns }')" \
		"$("$TRYST" report -f csv -s protocols lost | awk -F, 'NR > 1 { ns += $6 } END { print ns }')"
done

# Overheads that were learned are no prediction: nothing is unexplained, and nothing judged by them.
cp -r lost learned
rm learned/run.db
for rank in 0 1; do
	sqlite3 learned/rank-00000$rank.db "UPDATE op_row SET predicted = 40, code = (code & ~(1 << 32)) | (1 << 22)"
done
"$TRYST" report -f csv -s verdict,causes learned >got
expect "learned overheads explain no wait" "$(grep -c unexplained got)" 0
expect "what they leave is not predicted" "$(awk -F, '$1 == "causes" { ns += $5 } $1 == "verdict" { ns += $17 }
	END { print ns }' got)" \
	"$("$TRYST" report -f csv -s protocols learned | awk -F, 'NR > 1 { ns += $6 } END { print ns }')"
expect "live waits are not judged by them" "$("$TRYST" report -s accuracy learned)" ""
sqlite3 lost/rank-000000.db "INSERT INTO link_param (rank, tier, model, name, source, reason)
	VALUES (0, 'node', 'LogGPS', 'S', 'measured', 'no time left')"
check "the verdict gives the calibration's reason" grep -q "missing (no time left)" <<END
$("$TRYST" report --width 400 -s verdict lost)
END

"$TRYST" sql dead 'SELECT kind, protocol, sum(count) AS n FROM wait_profile GROUP BY 1, 2' >got 2>&1
golden sql-table
finish
