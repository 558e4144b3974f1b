#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Within a folder files depend one way: no two of them call each other, also not over others, and no two headers include
# each other. What calls what is read from the object files of the build.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1

# One circle stays: the stubs in assembly ask dispatch.c for a function, and dispatch.c takes the stubs' addresses.
stay='pmpi/dispatch/dispatch_x86_64 pmpi/dispatch/dispatch_aarch64'

# calls: "FOLDER/FILE FOLDER/OTHER" for each symbol of OTHER that FILE needs, of one folder
calls() {
	find "$1/include" "$1/analysis" "$1/pmpi" -name '*.o' -exec nm -A {} + 2>/dev/null | $awk -v top="$1/" '
	{
		# analysis/base/libformat_a-file.o:... is of analysis/base/file.c
		file = substr($1, length(top) + 1)
		sub(/\.o:.*/, "", file)
		folder = name = file
		sub(/\/[^\/]*$/, "", folder)
		sub(/.*[\/-]/, "", name)
		file = folder "/" name
	}
	$(NF - 1) == "U" { needs[folder, file, $NF] = 1; next }
	$(NF - 1) ~ /^[TDBRCVW]$/ { owner[folder, $NF] = file }
	END {
		for (n in needs) {
			split(n, part, SUBSEP)
			other = owner[part[1], part[3]]
			if (other != "" && other != part[2])
				print part[2], other
		}
	}' | sort -u
}

# includes FILE...: "HEADER OTHER" for each header that a header of its folder includes
includes() {
	grep -oE '^#[[:space:]]*include "[^"]*"' "$@" /dev/null | $awk '{
		from = $0; sub(/:.*/, "", from)
		to = $0; sub(/^[^"]*"/, "", to); sub(/"$/, "", to)
		folder = from; sub(/\/[^\/]*$/, "", folder)
		at = to; if (at !~ /\//) at = ""; sub(/\/[^\/]*$/, "", at)
		if (at == folder) print from, to
	}' | sort -u
}

# circles: the files that are on a circle, from lines "FILE OTHER"
circles() {
	$awk '
	{ to[$1] = to[$1] " " $2; files[$1] = 1 }
	function reaches(from, wanted,    queue, first, last, part, n, i, seen) {
		split("", seen)
		queue[last = 1] = from
		for (first = 1; first <= last; first++) {
			n = split(to[queue[first]], part, " ")
			for (i = 1; i <= n; i++) {
				if (part[i] == wanted) return 1
				if (!(part[i] in seen)) { seen[part[i]] = 1; queue[++last] = part[i] }
			}
		}
		return 0
	}
	END { for (file in files) if (reaches(file, file)) print file }' | sort | tr '\n' ' '
}

calls "$TEST_BUILD" >"$TEST_TMPDIR/calls"
check "calls within folders are seen" [ "$(wc -l <"$TEST_TMPDIR/calls")" -ge 100 ]
for file in $stay; do
	grep -v "^$file " "$TEST_TMPDIR/calls" >"$TEST_TMPDIR/left"
	mv "$TEST_TMPDIR/left" "$TEST_TMPDIR/calls"
done
expect "no files of a folder call each other" "$(circles <"$TEST_TMPDIR/calls")" ""
expect "a circle of three is found, and what leads to it is none" \
	"$(printf '%s\n' 'r/a r/b' 'r/b r/c' 'r/c r/a' 'r/d r/a' | circles)" "r/a r/b r/c "

# shellcheck disable=SC2046 # names of files
expect "no headers of a folder include each other" "$(includes $(find include analysis pmpi -name '*.h') | circles)" ""
mkdir -p "$TEST_TMPDIR/made/r"
echo '#include "r/b.h"' >"$TEST_TMPDIR/made/r/a.h"
echo '#include "r/a.h"' >"$TEST_TMPDIR/made/r/b.h"
expect "two that do are found" "$(cd "$TEST_TMPDIR/made" && includes r/a.h r/b.h | circles)" "r/a.h r/b.h "
finish
