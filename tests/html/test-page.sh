#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# The page of tryst report and diff -f html, driven in headless Chromium: its numbers are the JSON's, zoom and filters
# do what they say, names stay names, and the console is silent.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
need chromium chromium
need chromedriver chromium-driver
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || missing selenium python3-selenium
spoolgen=$TEST_BUILD/tests/spoolgen
check "a run is simulated" "$spoolgen" -n 4 -r 500 -s 7 -N 2 one >/dev/null
check "another is" "$spoolgen" -n 4 -r 400 -s 8 -N 2 two >/dev/null
"$TRYST" report -f html one >first.html 2>page.err || {
	if grep -q node-d3 page.err; then
		missing d3 node-d3
	fi
}

# page COMMAND KIND RUN...: the page of the runs is to be as their JSON says.
pages=
page() {
	command=$1
	kind=$2
	shift 2
	check "$kind: a page is made" "$TRYST" "$command" -f html -o "$kind.html" "$@"
	"$TRYST" "$command" -f json -n 1000 "$@" >"$kind.json"
	pages="$pages $kind.html $kind.json $kind"
}

page report report one
check "a run of one rank is simulated" "$spoolgen" -n 1 -r 100 -s 9 alone >/dev/null
page report alone alone
# The page of a job that still runs shows no losses.
cp -r alone runs
sqlite3 runs/run.db "UPDATE input SET state = 'unfinished'; UPDATE run SET value = 'alive' WHERE key = 'process';
	UPDATE run SET value = 0 WHERE key = 'clean_finalize'; INSERT OR REPLACE INTO match_info VALUES ('collectives_cut', 3)"
page report runs runs/run.db
# Rows of rank 1 that were not recorded, and waits of both sides of a message that are longer than any of its calls.
cp -r one cut
sqlite3 cut/run.db "DELETE FROM op_row WHERE id > (1 << 40) + 200 AND id < 2 << 40; DELETE FROM coll_row WHERE id > 1 << 40 AND id < 2 << 40;
	INSERT OR REPLACE INTO run VALUES (1, 'dropped_ops', 300); UPDATE match_row SET late = late + 1000000000"
page report cut cut/run.db
page diff diff one two

check "a page of chosen sections is made" "$TRYST" report -f html -s verdict,time -o some.html one
expect "its words are of these alone" "$(sed -n '/id="words"/,/^<.script>/p' some.html | sed '1d;$d' |
	python3 -c 'import json, sys; print(*sorted(json.load(sys.stdin)))')" "time verdict"
check "a section that there is not is told" sh -c '! "$1" report -f html -s bogus -o none.html one 2>err && grep -q "no section .bogus" err && [ ! -e none.html ]' \
	sh "$TRYST"

# It needs no network, and no data ends a script.
expect "nothing is loaded" "$(cat report.html diff.html | grep -c -E '(src|href)="?(https?:)?//')" 0
check "an existing file stays" sh -c '! "$1" report -f html -o report.html one 2>err && grep -q "report.html" err' sh "$TRYST"

check "a full device is told as one" sh -c '! "$1" report -f html -o /dev/full one 2>err && grep -q "/dev/full.: No space left" err' sh "$TRYST"
expect "a pipe that is there is written" "$("$TRYST" report -o /dev/stdout one | head -n 1)" "$("$TRYST" report one | head -n 1)"

# The source around callsites, of a file that is there; others are not read, whatever a database names.
cp -r two sources
for n in 1 2 3 4 5 6 7 8 9; do
	echo "line $n <b>of 9</b>"
done >there.c
cp there.c secret
sqlite3 sources/run.db "
	UPDATE frame_row SET function = 'f' || callsite, file = '$PWD/' || CASE callsite WHEN 2 THEN 'there.c' WHEN 3 THEN 'secret' ELSE 'not.c' END,
		line = 7 WHERE frame = 0;"
page report sources sources/run.db

# Names that would be markup, scripts, or the end of one.
cp -r two hostile
sqlite3 hostile/run.db "
	UPDATE frame_row SET function = '</script><script>attacked = 1</script><b class=attack>' || callsite || '&lt;\"''', file = '/a</script>.c', line = callsite
	WHERE frame = 0;
	UPDATE frame_row SET function = function || hex(zeroblob(2000)) WHERE frame = 0 AND callsite % 2;
	UPDATE run SET value = '<img src=x onerror=attacked=1>' WHERE key IN ('program', 'arguments', 'host');"
page report hostile hostile/run.db
# shellcheck disable=SC2086 # words
check "the pages do what they say" timeout -k 5 700 "$python" "$TEST_SRC/tests/html/drive.py" $pages
finish
