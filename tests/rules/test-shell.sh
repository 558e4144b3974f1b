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
	-type f ! -name '*.[ch]' -print | while read -r file; do
	case $file in
	*.sh) echo "$file" ;;
	*) head -n 1 "$file" | grep -aqE '^#! ?/(usr/)?bin/(env )?(da|ba)?sh' && echo "$file" ;;
	esac
done | sort)
expect "those that stand everywhere are among them" "$(echo "$files" | grep -cxE \
	'quickstart|\.ci/run|tests/(run|lib\.sh|builds|awks)|contrib/jobs/slurm\.sh|tests/rules/test-shell\.sh')" 8
for shell in dash "busybox sh"; do
	refused=
	for file in $files; do
		$shell -n "$file" || refused="$refused $file"
	done
	expect "$shell reads all $(echo "$files" | wc -l)" "$refused" ""
done
check "shellcheck finds nothing" shellcheck -f gcc $files
"$TRYST" --completion >"$TEST_TMPDIR/completion"
check "nor in what bash completes by" shellcheck -s bash -f gcc "$TEST_TMPDIR/completion"

# ---- and what is wrong is found ----
printf '%s\n' '#!/bin/sh' 'a=(1 2)' 'cd $1' >"$TEST_TMPDIR/wrong"
expect "dash does not read bash's arrays" "$(dash -n "$TEST_TMPDIR/wrong" 2>/dev/null; echo $?)" 2
expect "shellcheck finds what is not POSIX, and a cd that may fail" \
	"$(shellcheck -f gcc "$TEST_TMPDIR/wrong" | grep -oE 'SC(3030|2164)' | sort | tr '\n' ' ')" "SC2164 SC3030 "
finish
