#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever is given to the command, it says what is wrong, in one line, and uses the rest.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

spoolgen=$TEST_BUILD/tests/spoolgen

# tell EXPECTED-CODE TEXT COMMAND...: ends with the code and says the text, in one line on stderr
tell() {
	wanted=$1
	text=$2
	shift 2
	"$TRYST" "$@" >out.txt 2>err.txt
	expect "tryst $*: exit code" $? "$wanted"
	check "tryst $*: says '$text'" grep -qF -- "$text" err.txt
	expect "tryst $*: lines" "$(grep -c . err.txt)" 1
}

# gives EXPECTED-CODE TEXT COMMAND...: ends with the code and prints the text
gives() {
	wanted=$1
	text=$2
	shift 2
	"$TRYST" "$@" >out.txt 2>err.txt
	expect "tryst $*: exit code" $? "$wanted"
	check "tryst $*: shows '$text'" grep -qF -- "$text" out.txt
}

# shows TEXT COMMAND...: succeeds and prints the text
shows() {
	gives 0 "$@"
}

# the command line
tell 2 "did you mean 'report'" reprt
tell 2 "did you mean 'report'" rep
tell 2 "did you mean --sections" report --section=x --sektions=y out
tell 2 "unknown option --bogus" report --bogus out
tell 2 "must be one of text|csv|json" report --format xml out
tell 1 "no run lies here: tryst report DIR" report
tell 2 "one argument too many" report a b
tell 2 "is not a whole number" run --max-ops ten true
tell 2 "is not a whole number" run --max-ops off true
check "samples may be off" "$TRYST" run --sample off true
tell 2 "no launcher 'foo'" env foo
tell 127 "cannot run './nothing'" run ./nothing
tell 126 "cannot run '/tmp'" run /tmp
tell 127 "cannot run 'nothing': not found in PATH" run nothing
printf '#!/bin/sh\n' >here
chmod +x here
tell 127 "not found in PATH; the one in this directory is './here'" run here
touch late.py
tell 127 "'./late.py' in this directory is not executable: chmod +x" run late.py
COLUMNS=200 "$TRYST" doctor here >out.txt 2>&1
check "doctor says so as well" grep -q "^PROBLEM  program .*; the one in this directory is './here'" out.txt
printf '#!/no/such/shell\n' >orphan
chmod +x orphan
tell 127 "the interpreter or loader that it names is missing" run -o unrun ./orphan
check "a program that could not be started leaves no mark" test ! -e unrun.started

# not a run
mkdir empty
echo text >text
: >nothing
tell 1 "'empty' holds no run of tryst" report empty
tell 1 "'missing': No such file" report missing
tell 1 "cannot read 'text'" report text
tell 1 "cannot read 'nothing'" sql nothing 'SELECT 1'
sqlite3 foreign.db 'CREATE TABLE t (a); PRAGMA application_id = 7'
tell 1 "cannot read 'foreign.db'" report foreign.db

"$spoolgen" -n 4 -r 200 -s 5 run >/dev/null
"$TRYST" collect run >/dev/null
tell 1 "is one rank's: name the directory" analyze run/rank-000000.db
expect "and it is as it was" "$(sqlite3 run/rank-000000.db 'SELECT count(*) FROM match_info')" 0
tell 1 "no such column: bogus ('man 5 tryst-tables' lists what there is)" sql run 'SELECT bogus FROM op'
tell 1 "syntax error" sql run 'SELEKT 1'
tell 2 "QUERY is empty" sql run ''
tell 2 "commands with a dot belong to the sqlite3 shell" sql run .tables
expect "and from standard input" "$(echo .tables | "$TRYST" sql run 2>&1 | grep -c 'belong to the sqlite3 shell')" 1
sqlite3 links "PRAGMA application_id = 0x7472736c; PRAGMA user_version = 1; 
	CREATE TABLE fingerprint (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
	CREATE TABLE link_param (tier TEXT NOT NULL, peer INTEGER, form TEXT, layout TEXT, model TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER, value REAL, unit TEXT, ci_low REAL, ci_high REAL, source TEXT, reason TEXT);
	INSERT INTO link_param (tier, model, name) VALUES ('node', 'LogGPS', 'L')"
shows node sql links 'SELECT tier FROM link_param'
tell 1 "link parameters, not records of a run: 'tryst model show' and 'tryst sql' read them" report links
tell 0 "not matched yet, so exact results are empty: name the directory" sql run/rank-000000.db 'SELECT * FROM exact_by_pair'
cp run/run.db hollow.db
sqlite3 hollow.db 'DELETE FROM run'
tell 1 "hollow.db' knows of no rank" analyze hollow.db
tell 2 "QUERY is empty" sql run ' ; '
tell 2 "QUERY is empty" sql run '/* nothing */'
for format in otf2 chrome csv; do
	if "$TRYST" export -f $format -o probe-$format run >/dev/null 2>&1; then
		tell 1 "'text/x'" export -f $format -o text/x run
		check "$format: what is in the way is as it was" test "$(cat text)" = text
		tell 1 "cannot write 'text/such/x': Not a directory" export -f $format -o text/such/x run
		check "$format: missing folders are made" "$TRYST" export -f $format -o new-$format/such/x run
		check "$format: and what stands in them" test -e new-$format/such/x
	fi
done
tell 2 "no section 'bogus'" report -s bogus run
tell 2 "; there are summary,losses,pending,verdict,time," report -s bogus run
tell 2 "no section 'botlenecks'; did you mean 'bottlenecks'? There are" report -s verdict,botlenecks run
tell 2 "no section ''" report -s '' run
tell 1 "is there and is not tryst's" report --db text run
mkfifo pipe
tell 1 "'pipe' is there and is not tryst's: it is left alone" merge --db pipe run
tell 1 "is there and is not tryst's: it is left alone" merge --db /dev/stdin run </dev/null
check "it is a pipe as before" test -p pipe
cp -r run kept
rm kept/run.db
cp kept/rank-000000.db renamed.db
cp renamed.db whole.db
tell 1 "has a rank's records: it is left alone" merge --db kept/rank-000000.db kept
tell 1 "has a rank's records: it is left alone" report --db renamed.db kept
check "and it has them" cmp kept/rank-000000.db whole.db
check "under another name as well" cmp renamed.db whole.db
tell 1 "cannot make 'no/such/run.db" merge --db no/such/run.db run
expect "a file in the way is as it was" "$(cat text)" text

# a run.db that is somebody else's is left alone, and the report still comes
cp foreign.db run/run.db
shows "4 of 4 ranks" report run
check "and is as it was" cmp -s foreign.db run/run.db
rm run/run.db
: >run/run.db
shows "4 of 4 ranks" report run
expect_sql run/run.db "SELECT count(*) FROM input WHERE state = 'whole'" 4

# ranks that are missing, cut, garbled, foreign, empty
ops=$(sqlite3 run/run.db 'SELECT count(*) FROM op_row WHERE id >> 40 = 1')
damaged() {
	rm -rf bad
	cp -r run bad
	rm bad/run.db
}
damaged; rm bad/rank-000001.db
gives 1 "rank 1: left no file" report bad
tell 1 "no file of rank 1: nothing is known of it" merge bad
tell 1 "no file of rank 1: nothing is known of it" analyze bad
rm bad/rank-000003.db
tell 1 "no file of ranks 1,3: nothing is known of them" merge bad
tell 0 "no file of ranks 1,3: nothing is known of them" sql bad 'SELECT 1'
damaged; : >bad/rank-000001.db
gives 1 "rank 1: left out" report bad
tell 1 "cannot read 'bad/rank-000001.db': empty" collect bad
damaged; cp text bad/rank-000001.db
gives 1 "rank 1: left out" report bad
tell 1 "rank 1 is left out: cannot read 'bad/rank-000001.db': not a database of tryst's, or damaged" analyze bad
damaged; truncate -s 4096 bad/rank-000001.db
gives 1 "rank 1: left out: cannot read 'bad/rank-000001.db': database disk image is malformed" report --width 400 bad
tell 1 "cannot read 'bad/rank-000001.db': database disk image is malformed" collect bad
damaged; sqlite3 bad/rank-000001.db "DELETE FROM run WHERE key = 'run_id'"
gives 1 "rank 1: left out: its table run has no run id" report bad
damaged; sqlite3 bad/rank-000001.db "DROP TABLE run"
gives 1 "version of tryst: table 'run' is missing" report --width 400 bad
damaged; for rank in 0 1 2 3; do cp text bad/rank-00000$rank.db; done
"$TRYST" report -v bad >out.txt 2>err.txt
expect "nothing can be used: exit code" $? 1
expect "every rank is named, and then the run" "$(grep -c "rank [0-3] is left out: cannot read\|no rank file in 'bad'" err.txt)" 5
damaged; cp bad/rank-000000.db bad/rank-000001.db
gives 1 "rank 1: left out: it holds rank 0" report bad
damaged; sqlite3 bad/rank-000001.db "UPDATE run SET value = '00000000000000aa' WHERE key = 'run_id'"
gives 1 "rank 1: left out: it belongs to another run" report bad
damaged; sqlite3 bad/rank-000001.db 'PRAGMA user_version = 999'
gives 1 "rank 1: left out" report bad
tell 1 "rank 1 is left out" merge bad
damaged; truncate -s $(($(stat -c %s bad/rank-000001.db) - 8192)) bad/rank-000001.db
gives 1 "rank 1: damaged, used as far as it goes" report bad
expect "nobody is said not to have sent what its file lost" \
	"$(sqlite3 bad/run.db "SELECT count(*) FROM match_summary WHERE reason IN ('not_received', 'not_sent')")" 0
for at in 8 20 40; do
	damaged
	dd if=/dev/urandom of=bad/rank-000001.db bs=4096 seek=$at count=1 conv=notrunc 2>/dev/null
	"$TRYST" report -v bad >out.txt 2>err.txt
	expect "garbled page $at: exit code" $? \
		"$(sqlite3 bad/run.db "SELECT count(*) FROM input WHERE state <> 'whole'")"
	check "garbled page $at: the report comes" grep -q "of 4 ranks" out.txt
	got=$(sqlite3 bad/run.db 'SELECT count(*) FROM op_row WHERE id >> 40 = 1')
	check "garbled page $at: at most the rows that there were ($got of $ops)" test "$got" -le "$ops"
	expect "garbled page $at: the other ranks are whole" \
		"$(sqlite3 bad/run.db "SELECT count(*) FROM input WHERE state = 'whole' AND rank <> 1")" 3
done

# spools, cut anywhere
"$spoolgen" -n 2 -r 300 -s 9 -o spools >/dev/null
size=$(stat -c %s spools/rank-000001.spool)
for part in 0 1 30 100 $((size / 2)) $((size - 1)); do
	rm -rf cut
	cp -r spools cut
	truncate -s "$part" cut/rank-000001.spool
	shows "of 2 ranks" report cut
done
rm -rf cut
cp -r spools cut
for kind in ring spool; do dd if=/dev/zero of=cut/rank-000001.$kind bs=64 count=1 conv=notrunc 2>/dev/null; done
rm -rf hung
"$spoolgen" -n 2 -r 300 -s 9 -o hung >/dev/null
shows "tryst report -s pending hung shows what each rank waits for" collect hung
"$TRYST" report -s pending hung >out.txt 2>err.txt
check "and so it does" grep -q "^rank 1 in MPI_Wait" out.txt
gives 1 "2 ranks, 1 collected now" collect cut
check "and it is named" grep -q "cannot read 'cut/rank-000001.ring': not a file of tryst's, or damaged" err.txt

# too many op rows: what waited stays
"$TRYST" merge --max-ops 100 run >/dev/null
expect_sql run/run.db 'SELECT count(*) FROM op_row WHERE NOT (code >> 22 & 1)' 0
shows "rows with the least waits are in the rank files only" report run

# a directory that may only be read; root may write anywhere, so not for root
if [ "$(id -u)" != 0 ]; then
	rm run/run.db
	chmod 555 run
	shows "4 of 4 ranks" report run
	chmod 755 run
	check "nothing is left behind" test -z "$(find "$TMPDIR" -name '.tryst-scratch-*')"
fi
finish
