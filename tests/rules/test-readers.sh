#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever reads a file, a variable or numbers out of text is held by a fuzz target, or it is said why not.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1
reads='\<(file_open|file_open_regular|file_text|file_stream|file_read|fopen|fdopen|open|openat|opendir|popen|getenv|getline|fgets|fread|fscanf|sscanf|strto[a-z]+|ato[ilf]|dlopen|readlink|pread|gethostname|dwfl_begin|sqlite3_open[a-z0-9_]*|dl_iterate_phdr)[[:space:]]*\('
# By what they are handed, not by such a call.
others='analysis/command/model.c analysis/format/links/calibration_read.c analysis/format/run/settings.c pmpi/callsite/cfi.c'

listed=$(sed '/^#/d' tests/fuzz/readers | cut -f 1)
expect "every source that reads is listed" \
	"$({ grep -rlE "$reads" include analysis pmpi --include='*.[ch]'; printf '%s\n' $others; } | sort -u)" \
	"$(printf '%s\n' "$listed" | sort -u)"
expect "none is listed twice" "$(printf '%s\n' "$listed" | sort | uniq -d)" ""
expect "each has targets that there are, or a reason" "$(sed '/^#/d' tests/fuzz/readers | while IFS="$(printf '\t')" read -r file targets why; do
	for target in $targets; do
		[ -e "tests/fuzz/${target}_target.c" ] || { [ "$target" = - ] && [ -n "$why" ]; } || echo "$file: $target"
	done
done)" ""
for target in tests/fuzz/*_target.c; do
	name=$(basename "$target" _target.c)
	expect "$name has a corpus" "$(find "tests/fuzz/$name" -type f | head -n 1 | wc -l)" 1
done
finish
