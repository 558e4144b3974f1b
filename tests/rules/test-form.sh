#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=120
# C has one form, that of .clang-format, and no line of it passes 100 columns with tabs of 8.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1
sources=$(find analysis include pmpi tests -name '*build*' -prune -o -name '*.[ch]' -print | sort)

# wide FILE...: lines of more than 100 columns
wide() {
	$awk '
	{
		columns = 0
		n = split($0, parts, "\t")
		for (i = 1; i <= n; i++) {
			columns += length(parts[i])
			if (i < n) columns += 8 - columns % 8
		}
		if (columns > 100) print FILENAME ":" FNR ": " columns
	}' "$@"
}
# shellcheck disable=SC2086 # names of files
expect "no line of $(echo "$sources" | wc -l) files passes 100 columns" "$(wide $sources)" ""
awk 'BEGIN { for (i = 0; i < 92; i++) s = s "x"; print "\t" s; print "\t" s "x"; print "ab\t" s "x" }' \
	>"$TEST_TMPDIR/wide.c"
expect "longer ones are found" "$(cd "$TEST_TMPDIR" && wide wide.c)" "$(printf 'wide.c:2: 101\nwide.c:3: 101')"

# Breaking a long comment, clang-format loses the space behind the star.
# shellcheck disable=SC2086 # names of files
expect "a space stands between star and word" "$(grep -nE '^[[:blank:]]* \*[A-Za-z][a-z]* [a-z]' $sources | head)" ""

# Other versions break lines at other places.
need clang-format clang-format
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
[ "$version" = 14 ] || {
	[ "$lib_failed" -eq 0 ] || finish
	skip "clang-format 14 says where lines break, not $version (the columns are right)"
}
# shellcheck disable=SC2086 # names of files
clang-format --dry-run $sources 2>&1 | grep -o '^[^ ]*: warning' >"$TEST_TMPDIR/other" || :
expect "clang-format leaves them as they are" "$(sort -u "$TEST_TMPDIR/other")" ""
printf 'int f(int a){return a;}\n' >"$TEST_TMPDIR/form.c"
cp .clang-format "$TEST_TMPDIR"
expect "another form is found" "$(cd "$TEST_TMPDIR" && clang-format --dry-run form.c 2>&1 | grep -c warning)" 3
finish
