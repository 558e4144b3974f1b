#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=900
# Every shell script is read by dash and by busybox's shell, and shellcheck finds nothing in it.
. "${TEST_SRC:-.}/tests/lib.sh"
need dash dash
need busybox busybox
need shellcheck shellcheck
cd "$TEST_SRC" || exit 1

# What make has made is not judged: a build in the source directory looks at what a release would hold.
if [ "$TEST_SRC" = "$TEST_BUILD" ]; then
	to "$TEST_TMPDIR/distdir" make -s distdir distdir="$TEST_TMPDIR/source"
	check "the source can be told from what is made" cd "$TEST_TMPDIR/source"
fi

# What is named *.sh, or says in its first line that it is a script.
files=$(find .ci analysis contrib include pmpi quickstart tests -name '*build*' -type d -prune -o \
	-type f ! -name '*.[ch]' -print | $awk '
	/\.sh$/ { print; next }
	{
		if ((getline line <$0) > 0 && line ~ /^#! ?\/(usr\/)?bin\/(env )?(da|ba)?sh/) print
		close($0)
	}' | sort)
expect "those that stand everywhere are among them" "$(echo "$files" | grep -cxE \
	'quickstart|\.ci/run|tests/(run|lib\.sh|builds|awks)|contrib/jobs/slurm\.sh|tests/rules/test-shell\.sh')" 8
for shell in dash "busybox sh"; do
	refused=
	for file in $files; do
		$shell -n "$file" || refused="$refused $file"
	done
	expect "$shell reads all $(echo "$files" | wc -l)" "$refused" ""
done

# The shared part is looked at once. In a copy, what it sets and defines stands in its place: shellcheck would go
# through all of it for each of its readers.
copy=$TEST_TMPDIR/copy
mkdir "$copy"
tar -cf - tests/.shellcheckrc $files | tar -xf - -C "$copy"
check "shellcheck finds nothing in what tests share" shellcheck -f gcc tests/lib.sh
$awk 'BEGIN { print "# shellcheck shell=sh disable=SC2034" }
/^[a-z_]+\(\) [{]/ { sub(/ .*/, " { :; }"); print; next }
/^#/ { next }
# once PATTERN BEFORE AFTER: a line for each name in $0 that stands in what the pattern finds
function once(pattern, before, after, text, name) {
	for (text = $0; match(text, pattern); text = substr(text, RSTART + RLENGTH)) {
		name = substr(text, RSTART, RLENGTH)
		gsub(/for | in$|[^A-Za-z0-9_]/, "", name)
		if (!seen[before name]++) print before name after
	}
}
{
	gsub(/-v [A-Za-z_]+=/, "-v ") # a variable of awk
	once("(^|[ \t;])[A-Za-z_]+=", "", "=$1")
	once("for [a-z_]+ in", "", "=$1")
	once("[$][{]?[A-Z_]+", ": $", "")
	if ($1 == "export") once("[A-Z_a-z]+=|[A-Z_]+$", "export ", "")
}' tests/lib.sh >"$copy/tests/lib.sh"
# finds FILE...: what shellcheck says of their copies
finds() {
	(cd "$copy" && printf '%s\n' "$@" | xargs -n 8 -P 2 shellcheck -f gcc)
}
others=$(printf '%s\n' "$files" | grep -vx tests/lib.sh)
check "nor in others" finds $others
"$TRYST" --completion >"$TEST_TMPDIR/completion"
check "nor in what bash completes by" shellcheck -s bash -f gcc "$TEST_TMPDIR/completion"

# ---- and what is wrong is found ----
printf '%s\n' '#!/bin/sh' 'a=(1 2)' 'cd $1' >"$TEST_TMPDIR/wrong"
expect "dash does not read bash's arrays" "$(dash -n "$TEST_TMPDIR/wrong" 2>/dev/null; echo $?)" 2
expect "shellcheck finds what is not POSIX, and a cd that may fail" \
	"$(shellcheck -f gcc "$TEST_TMPDIR/wrong" | grep -oE 'SC(3030|2164)' | sort | tr '\n' ' ')" "SC2164 SC3030 "
printf '%s\n' '#!/bin/sh' '. "${TEST_SRC:-.}/tests/lib.sh"' 'echo "$awk $TRYST $no_such $got"' 'finish' \
	>"$copy/tests/rules/wrong.sh"
expect "and a variable that neither the test nor the shared part sets" \
	"$(finds tests/rules/wrong.sh | sed 's/.*: warning: //')" "no_such is referenced but not assigned. [SC2154]
got is referenced but not assigned. [SC2154]"
finish
