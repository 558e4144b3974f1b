#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# tryst sql --report answers the report's own questions by the texts in analysis/report/queries.
. "${TEST_SRC:-.}/tests/lib.sh"

check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 500 -o -s 7 -N 2 run >/dev/null
cd "$TEST_SRC/analysis/report/queries" || exit 1

# A question begins with SELECT or WITH. The others make tables, which are there already.
questions=0
unanswered=
for file in *.sql; do
	case $(grep -v '^--' "$file" | head -n 1) in
	SELECT* | WITH*) ;;
	*) continue ;;
	esac
	side=
	case $file in
	*one_side*) side=--one-side ;;
	esac
	questions=$((questions + 1))
	# shellcheck disable=SC2086
	"$TRYST" sql --report $side "$TEST_TMPDIR/run" <"$file" >"$TEST_TMPDIR/got" 2>"$TEST_TMPDIR/why" ||
		unanswered="$unanswered $file: $(cat "$TEST_TMPDIR/why")"
done
check "there are questions" [ "$questions" -gt 30 ]
expect "all of them are answered" "$unanswered" ""

# report_rows SECTION N and sql_rows N FILE: rows as CSV, of questions without words made in C
report_rows() {
	"$TRYST" report -f csv -s "$1" -n "$2" "$TEST_TMPDIR/run" 2>/dev/null | sed 's/^[^,]*,//'
}
sql_rows() {
	"$TRYST" sql --report -f csv -n "$1" "$TEST_TMPDIR/run" <"$2.sql" 2>/dev/null
}
for section in pairs:pairs_exact callsites:callsites collectives:collectives calls:calls; do
	expect "${section%:*}: the rows of the report" "$(sql_rows 3 "${section#*:}")" "$(report_rows "${section%:*}" 3)"
done
check "there are such rows" [ "$(sql_rows 3 pairs_exact | wc -l)" -eq 4 ]
expect ":top is as in the report" "$(sql_rows 1 pairs_exact | wc -l)" 2
check "without --report there are no such tables" sh -c '! "$1" sql "$2" <pairs_exact.sql 2>/dev/null' sh \
	"$TRYST" "$TEST_TMPDIR/run"

# Recipes: each answers on a run, by its name.
"$TRYST" sql --recipe list >"$TEST_TMPDIR/recipes"
check "there are 20 recipes and more" [ "$(wc -l <"$TEST_TMPDIR/recipes")" -ge 20 ]
expect "each has a question" "$(grep -vc '^[a-z_]*  *[A-Z].*?$' "$TEST_TMPDIR/recipes")" 0
unanswered=
empty=
while read -r name _; do
	"$TRYST" sql -f csv -n 3 --recipe "$name" "$TEST_TMPDIR/run" >"$TEST_TMPDIR/got" 2>"$TEST_TMPDIR/why" ||
		unanswered="$unanswered $name: $(cat "$TEST_TMPDIR/why")"
	[ "$(wc -l <"$TEST_TMPDIR/got")" -le 4 ] || unanswered="$unanswered $name: more than -n rows"
	[ "$(wc -l <"$TEST_TMPDIR/got")" -gt 1 ] || empty="$empty $name"
done <"$TEST_TMPDIR/recipes"
expect "all recipes are answered" "$unanswered" ""
expect "few have no rows in an ordinary run" "$(echo $empty | tr ' ' '\n' | grep -vc 'cpu_loss\|never_received\|unhidden\|polling\|stuck')" 0

# A query that reads exact results has the run analyzed first. Another one leaves that.
cd "$TEST_TMPDIR" || exit 1
is_analyzed() {
	sqlite3 "$1/run.db" 'SELECT count(*) > 0 FROM match_info'
}
check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 500 -o -s 7 -N 2 fresh >/dev/null
check "a question about one side is answered" to plain.csv "$TRYST" sql -f csv fresh 'SELECT * FROM comm_matrix'
expect "without an analysis" "$(is_analyzed fresh)" 0
check "waits by cause are answered" to exact.csv "$TRYST" sql -f csv fresh 'SELECT 1; SELECT cause FROM exact_by_cause'
expect "with an analysis" "$(is_analyzed fresh)" 1
check "so there are rows" [ "$(wc -l <exact.csv)" -gt 3 ]
cp -r fresh copy
expect "a copy of the run has them, too" "$("$TRYST" sql -f csv copy 'SELECT count(*) > 0 FROM match' | tail -n 1)" 1
check "a run is simulated" "$TEST_BUILD/tests/spoolgen" -n 4 -r 500 -o -s 7 -N 2 another >/dev/null
check "a recipe has the run analyzed" [ "$("$TRYST" sql -f csv --recipe waits_by_line another | wc -l)" -gt 1 ]

"$TRYST" --man tryst-tables.5 >"$TEST_TMPDIR/tables.5"
while read -r name _; do
	check "tryst-tables(5) has recipe $name" grep -qF "\\fB$name\\fR" "$TEST_TMPDIR/tables.5"
done <"$TEST_TMPDIR/recipes"
check "an index" grep -q '^\.SH INDEX$' "$TEST_TMPDIR/tables.5"
expect "a column that repeats is described once" "$(grep -A 1 '^\\fBrank\\fR$' "$TEST_TMPDIR/tables.5" |
	grep -c '^rank in MPI_COMM_WORLD that recorded the row$')" 1
"$TRYST" sql --recipe longest "$TEST_TMPDIR/run" >/dev/null 2>"$TEST_TMPDIR/why"
expect "an unknown recipe is told in one line" "$? $(wc -l <"$TEST_TMPDIR/why")" "2 1"
"$TRYST" sql >/dev/null 2>"$TEST_TMPDIR/why"
expect "without a run there is no query" "$? $(wc -l <"$TEST_TMPDIR/why")" "2 1"
finish
