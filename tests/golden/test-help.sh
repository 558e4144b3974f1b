#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Help fits a screen, manual pages are well-formed, completion knows the options: all from tables.
. "${TEST_SRC:-.}/tests/lib.sh"

"$TRYST" >got
expect "tryst alone tells how to begin, in three lines" "$(wc -l <got)" 3
expect "tryst --version" "$("$TRYST" --version | cut -d' ' -f1)" tryst

commands=$("$TRYST" --help | sed -n '/^To begin/q; s/^  \([a-z]*\)  *[a-z].*/\1/p')
check "--help lists the subcommands" test "$(echo "$commands" | wc -w)" -ge 8
for command in $commands; do
	for columns in 80 120; do
		COLUMNS=$columns "$TRYST" "$command" -h >got
		check "$command -h: ends well" test $? = 0
		check "$command -h: fits a screen" test "$(wc -l <got)" -le 40
		expect "$command -h: fits $columns columns" "$(awk -v n=$columns 'length > n' got)" ""
	done
	"$TRYST" "$command" --help >got
	"$TRYST" help "$command" >got2
	check "help $command is $command --help" cmp got got2
	check "help $command: shows the usage" grep -q "^usage: tryst $command" got
	"$TRYST" --man "tryst-$command.1" >"tryst-$command.1"
	check "$command: has a manual page" grep -q '^\.SH NAME' "tryst-$command.1"
	# every option of the short help is in the manual page
	for option in $("$TRYST" "$command" -h | sed -n 's/^ .*  *--\([a-z-]*\)[ ,].*/\1/p'); do
		check "$command: manual page has --$option" \
			grep -qF -- "$(echo "--$option" | sed 's/-/\\-/g')" "tryst-$command.1"
	done
done
grep -o '"TRYST_[A-Z_]*", "[a-z-]*"' "$TEST_SRC/include/settings.def" | tr -d '",' >settings
check "there are settings that are options" test "$(wc -l <settings)" -gt 5
"$TRYST" help run | tr -s '\n ' '  ' | sed 's/.*Options: //; s/ Examples: .*//; s/ --/\n--/g' >options
while read -r variable option; do
	check "help run names $variable beside its option" grep -q -- "^--*$option .* ($variable) *\$" options
	check "so does its manual page" grep -qF "(\\fB$variable\\fR)" tryst-run.1
done <settings
expect "a default stands in brackets" "$("$TRYST" report -h | grep -c 'rows of each ranking \[5\]')" 1
"$TRYST" --man tryst.1 >tryst.1
"$TRYST" --man tryst-tables.5 >tryst-tables.5
for variable in TRYST_DIR TRYST_MAX_OPS TRYST_CALIBRATE; do
	check "tryst(1) has $variable" grep -qF "$variable" tryst.1
done
check "tryst-tables(5) has the views" grep -q '^\.SH "rendezvous_bottlenecks"' tryst-tables.5
reading=$TEST_SRC/analysis/report/tryst-reading.7
check "tryst-report(1) names tryst-reading(7)" grep -q 'tryst.-reading(7)' tryst-report.1
for section in $(COLUMNS=1000 "$TRYST" report -h | sed -n 's/.*only these: \(.*\) \[all\].*/\1/p' | tr -d ,); do
	check "tryst-reading(7) explains section $section" grep -q "^\.SH .*[(, ]${section}[,)]" "$reading"
done
for name in $(sed -n '/^INSERT INTO \(cause\|coll_state\)_name VALUES/,/;$/p' "$TEST_SRC/include/schema.sql" |
	grep -o "'[a-z_]*'" | tr -d "'"); do
	check "tryst-reading(7) explains $name" grep -q "^$name\>" "$reading"
done
# What the examples of tryst sql say is done as it stands there.
"$TEST_BUILD/tests/spoolgen" -n 2 -r 50 -s 3 out >/dev/null
grep -v '^#' "$TEST_SRC/analysis/command/sql_examples.txt" >examples
check "tryst sql has examples" test "$(wc -l <examples)" -gt 5
tryst() { "$TRYST" "$@"; }
while IFS='	' read -r command meaning; do
	eval "$command" >answer 2>&1 </dev/null
	check "tryst sql --help: $meaning" test $? = 0
done <examples

need groff groff-base
for page in tryst*.[15] "$TEST_SRC/include/tryst.3" "$reading"; do
	expect "$page: groff finds nothing to say" "$(groff -t -mandoc -Tutf8 -rLL=78n -ww "$page" 2>&1 >/dev/null)" ""
done

need bash bash
"$TRYST" --completion >completion
complete_words() {
	bash -c '. ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tryst 2>/dev/null
		echo "${COMPREPLY[@]}"' bash "$@"
}
expect "completion of a subcommand" "$(complete_words tryst rep)" report
expect "completion of an option" "$(complete_words tryst run --max)" --max-ops
expect "completion of a choice" "$(complete_words tryst report --format c)" csv
expect "completion of help" "$(complete_words tryst help doc)" doctor
mkdir "my run"
expect "completion of a name with a space" "$(complete_words tryst report my)" "my run"
expect "it is one word" "$(complete_words tryst run -o my 2>&1; bash -c '. ./completion; COMP_WORDS=(tryst run -o my)
	COMP_CWORD=3; _tryst 2>/dev/null; echo "${#COMPREPLY[@]}"')" "my run
1"
finish
