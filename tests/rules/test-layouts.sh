#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Packed columns are taken apart by what include/layouts.def makes, and nowhere else: no statement of SQL works on
# bits, no line of C shifts those of a column. In SQL words stand for kinds, causes, protocols and the like, no numbers.
# Long queries stand in files of their own.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1

# tables_doc.c and sql.c name statements in their texts. Codes of SQLite, of characters and of unwind tables are no
# columns.
others='^(analysis/format/db/db|analysis/text/table|pmpi/callsite/cfi)\.c:'

# shifts FILE...: lines that shift a packed column, in SQL also inside C strings
shifts() {
	grep -nE '\<(code|done|id|comm|site|send|recv|op|class8|kind_mode)\)? *>> *[0-9]+|\<(code|done|comm|class8|kind_mode) *& *(0x[0-9a-f]+|[0-9]+)|[.>]value\[[1-9][0-9]\]' \
		"$@" /dev/null | grep -vE "$others|^[^:]*:[0-9]+:[[:space:]]*(--|/?\*)"
}
sources=$(find include analysis pmpi \( -name '*.c' -o -name '*.h' -o -name '*.sql' \) | sort)
# shellcheck disable=SC2086 # names of files
expect "no packed column is taken apart by hand" "$(shifts $sources)" ""
mkdir -p "$TEST_TMPDIR/made"
printf '%s\n' 'SELECT code >> 10 & 3 FROM op_row;' >"$TEST_TMPDIR/made/a.sql"
printf '%s\n' '	x = code & 1023;' '	row->value[14] = 0;' '	y = f(v[OP_ROW_CODE]);' >"$TEST_TMPDIR/made/b.c"
expect "one that is is found" "$(cd "$TEST_TMPDIR/made" && shifts a.sql b.c | wc -l)" 3

# numbers FILE...: lines of SQL that work on bits, or compare with a number what has words; of C those in whose strings
# SQL does
numbers() {
	$awk '
	function judge(text,    words) {
		gsub(/\|\|/, " ", text)
		words = "(kind|mode|form|waiting|what|protocol|cause|tier|state|reason|part)(_id)?"
		if (text ~ /<<|>>|[&|~]/ || text ~ "(^|[^a-z_])" words " *(=|<>|<|>|IS|IS NOT|(NOT )?(IN|BETWEEN)) *\\(?[0-9]" ||
			text ~ "(^|[^a-z_])CASE ([a-z]+[.])?" words " WHEN [0-9]")
			print FILENAME ":" FNR
	}
	FILENAME ~ /sql$/ { line = $0; gsub(/\047[^\047]*\047/, "", line); sub(/--.*/, "", line); judge(line); next }
	{
		line = $0
		while (match(line, /"([^"\\]|\\.)*"/)) {
			text = " " substr(line, RSTART + 1, RLENGTH - 2) " "
			line = substr(line, RSTART + RLENGTH)
			if (text ~ /[^A-Za-z](SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|FROM|JOIN|HAVING|VALUES|AND|CASE) /)
				judge(text)
		}
	}' "$@"
}
# ranges.c judges the bits of files that are not yet trusted, by numbers of layouts.h.
# shellcheck disable=SC2046 # names of files
expect "no SQL works on bits, and words stand for kinds and causes" \
	"$(numbers $(find include analysis pmpi -name '*.sql' -o -name '*.c' | grep -vE '^analysis/(format/db/ranges|merge/tables_doc|command/sql)[.]c' |
		sort))" ""
printf '%s\n' 'SELECT a << 4 FROM b' 'WHERE a.kind_id = 1' "SELECT '<<' -- a & b" 'CASE cause_id WHEN 1' 'part IN (2, 5)' \
	"a || b AND part = 'run'" 'WHERE (a | b)' >"$TEST_TMPDIR/made/e.sql"
printf '%s\n' '	"SELECT a FROM b WHERE kind = 1"' '	x = y & z; /* SELECT */' '	" AND (done >> 2) = 3"' >"$TEST_TMPDIR/made/f.c"
expect "those that do are found" "$(cd "$TEST_TMPDIR/made" && numbers e.sql f.c | tr '\n' ' ')" \
	"e.sql:1 e.sql:2 e.sql:4 e.sql:5 e.sql:7 f.c:1 f.c:3 "

# queries FILE...: C strings of more than three lines that hold SQL; those of analysis/format are in the library, too
queries() {
	$awk '
	function ended() {
		if (lines > 3 && asks)
			print first ": " lines " lines"
		lines = asks = 0
	}
	FNR == 1 { ended() }
	/^[ \t]*("|SQL_).*"?[^;]*$/ || /= *"|\( *"|\{ "/ {
		if (!/^[ \t]*("|SQL_)/) ended()
		if (!lines++) first = FILENAME ":" FNR
		if (/"[^"]*(SELECT|INSERT|CREATE|UPDATE|DELETE|WITH) /) asks = 1
		if (/(;|"[ )}]*,)[ \t]*$/) ended()
		next
	}
	{ ended() }
	END { ended() }' "$@"
}
# literals FILE...: lines of C strings in which SQL stands
literals() {
	$awk '{
		line = $0
		while (match(line, /"([^"\\]|\\.)*"/)) {
			text = " " substr(line, RSTART + 1, RLENGTH - 2) " "
			line = substr(line, RSTART + RLENGTH)
			if (text ~ /[^A-Za-z0-9_](SELECT|INSERT|UPDATE|DELETE FROM|CREATE|WHERE|FROM|JOIN|ORDER BY|GROUP BY|LIMIT|PRAGMA|ATTACH|DROP|VALUES|UNION|WITH)[^A-Za-z0-9_]/) {
				print FILENAME ":" FNR
				break
			}
		}
	}' "$@"
}
# shellcheck disable=SC2046 # names of files
check "SQL stands in files of its own but for 100 lines" \
	[ "$(literals $(find include analysis pmpi -name '*.[ch]') | wc -l)" -le 100 ]
printf '%s\n' 'x = "SELECT a"' '	"\" FROM b";' 'y = "SELECTED";' >"$TEST_TMPDIR/made/d.c"
expect "a line of it is counted" "$(cd "$TEST_TMPDIR/made" && literals d.c)" "d.c:1
d.c:2"

found=$(find analysis -name '*.c' | sort | grep -vE "^analysis/(format/|merge/tables_doc|command/sql)")
# shellcheck disable=SC2086 # names of files
expect "queries of more than three lines stand in FOLDER/queries" "$(queries $found)" ""
printf '%s\n' 'static const char sql[] =' '	"SELECT a"' '	" FROM b"' '	" WHERE c"' '	" ORDER BY d";' >"$TEST_TMPDIR/made/c.c"
expect "a long one is found" "$(cd "$TEST_TMPDIR/made" && queries c.c)" "c.c:2: 4 lines"
finish
