#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A running job is reported without alarm. settings has a text. A failed output says why. tryst help finds manual pages
# by the names that the report uses.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 300 -s 7 -N 2 run >/dev/null
check "its report" to text "$TRYST" report run

# A job that runs, as its ranks' files show it: messages are on their way, and a rank is in a call for a short time.
cp run/run.db runs.db
sqlite3 runs.db "UPDATE input SET state = 'unfinished';
	UPDATE run SET value = 0 WHERE key = 'clean_finalize';
	UPDATE run SET value = 'alive' WHERE key = 'process';
	INSERT INTO match_summary_cell (rank, kind, reason, ops) SELECT 1, 1, id, 5 FROM unmatched_name WHERE name = 'not_received';
	INSERT OR REPLACE INTO match_info VALUES ('collectives_cut', 3);
	INSERT INTO in_call_row (id, call, callsite, enter) SELECT 0, id, 1, (SELECT CAST(value AS INTEGER) FROM run WHERE key = 'end_ns'
		AND rank = 0) - 5000 FROM call_name WHERE name = 'MPI_Recv'"
check "a running job has a report" to text "$TRYST" report --width 200 runs.db
expect "it says that the job runs, and until when it goes" \
	"$(grep -c "still running as far as can be seen: this is about the first [0-9.]* ms after MPI_Init" text)" 1
expect "the verdict does, too" "$(grep -c "^Verdict: the job runs. So far: " text)" 1
expect "nothing alarms" "$(grep -E "^! (rank|[0-9])|PENDING|Nobody|without partner|have not returned" text)" ""
check "what is not completed is told in full" to text "$TRYST" report -v runs.db
expect "as of now" "$(grep -c "^PENDING in the running job: " text)" 1
expect "worth is unknown because it runs" "$(grep -o "Their worth is unknown: .*" text)" "Their worth is unknown: the job still runs."
expect "programs see it among the losses" "$("$TRYST" report -f csv -s losses runs.db | sed -n 's/^losses,\(ranks_running,[^,]*,[^,]*\).*/\1/p')" \
	'ranks_running,0-3,4'
expect "and its collectives" "$("$TRYST" report -f csv -s losses runs.db | grep -c '^losses,collectives_cut,')" 1
sqlite3 runs.db "UPDATE run SET value = value + 1001000000 WHERE key = 'end_ns'"
# ages are those of the moment at which the first rank was read: less than 1 ms before the others here
check "in a call for a second" to text "$TRYST" report --width 200 runs.db
expect "it may hang" "$(grep -c "1 of 4 ranks are inside MPI calls that have not returned, the longest for at least 1.00 s\. See PENDING" text)" 1
expect "then what lacks a partner is evidence" "$(grep -cE "^Nobody received|operations without partner|^! 3 collectives lack members" text)" 3
expect "what is pending is so now" "$(grep "^PENDING" text)" "PENDING in the running job: begun, and not completed so far"

# Elsewhere nobody sees for how long a call has not returned.
sqlite3 runs.db "UPDATE run SET value = value - 1001000000 WHERE key = 'end_ns';
	UPDATE run SET value = 'unknown' WHERE key = 'process'"
check "a job on another machine" to text "$TRYST" report --width 200 runs.db
expect "it may hang, too" "$(grep -c "^Verdict: 1 of 4 ranks are inside MPI calls that have not returned" text)" 1
expect "and its calls are told" "$(grep -c "^PENDING in the running job: " text)" 1

sqlite3 run/run.db "INSERT INTO run VALUES (0, 'TRYST_ROWS', 'finalize')"
check "settings as text" to text "$TRYST" report -s settings run
expect "they have names and values" "$(sed -n 's/^\(TRYST_ROWS\)  *\([a-z]*\)  *1$/\1=\2/p' text)" TRYST_ROWS=finalize
expect "not where they were not asked for" "$("$TRYST" report -v run | grep -c "^SETTINGS")" 0

: >there
"$TRYST" report -o there run 2>err
expect "an output that is there" "$(cat err)" "tryst report: cannot write 'there': File exists"

expect "the manual pages have names" "$("$TRYST" help reading; "$TRYST" help tables)" \
	"tryst-reading(7) explains the report: man 7 tryst-reading
tryst-tables(5) lists the tables for SQL: man 5 tryst-tables"
if script -qec true /dev/null >/dev/null 2>&1; then
	mkdir with-man
	printf '#!/bin/sh\necho "page: $*"\n[ "$2" = tryst-reading ]\n' >with-man/man
	chmod +x with-man/man
	expect "on a terminal man shows them, or they are named" "$(PATH=$PWD/with-man:$PATH script -qec \
		"'$TRYST' help reading; '$TRYST' help tables" /dev/null </dev/null | tr -d '\r')" "page: 7 tryst-reading
page: 5 tryst-tables
tryst-tables(5) lists the tables for SQL: man 5 tryst-tables"
fi
expect "others are told" "$("$TRYST" help nonsense 2>&1)" "tryst help: no subcommand 'nonsense'; see tryst --help"
finish
