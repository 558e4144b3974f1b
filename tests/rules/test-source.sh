#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What a release holds, who includes whom, what each folder has, headers that compile alone, licence lines, lengths.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1
# What make has made is not judged: a build in the source directory looks at what a release would hold.
if [ "$TEST_SRC" = "$TEST_BUILD" ]; then
	to "$TEST_TMPDIR/distdir" make -s distdir distdir="$TEST_TMPDIR/source"
	check "the source can be told from what is made" cd "$TEST_TMPDIR/source"
fi

sources=$(find include analysis pmpi tests -name '*.[ch]' | sort)
texts=$(find include analysis pmpi tests contrib quickstart .ci configure.ac Makefile.am \
	\( -name '*.[ch]' -o -name '*.sh' -o -name '*.mk' -o -name '*.awk' -o -name '*.def' -o -name '*.sql' \
	-o -name '*.f90' -o -name '*.F90' -o -name '*.cpp' -o -name '*.py' -o -name '*.[1-8]' -o -name run \
	-o -name quickstart -o -name configure.ac -o -name Makefile.am \) -type f | sort)

check "a release is laid out" to "$TEST_TMPDIR/distdir" make -s -C "$TEST_BUILD" distdir distdir="$TEST_TMPDIR/release"
expect "it holds every source" \
	"$(for file in $texts; do [ -e "$TEST_TMPDIR/release/$file" ] || echo "$file"; done)" ""

# Which #include leads from one folder to one that it may not know (tests/rules/folders). An included file is looked
# for beside the one that includes it, from the top, and where compilers are told to look.
# outside FILE...
outside() {
	{
		sed -n '/^[^#]/s/^/folder /p' tests/rules/folders
		printf 'source %s\n' $sources
		grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" /dev/null
	} | $awk '
	function parent(file) { sub(/\/[^\/]*$/, "", file); return file }
	$1 == "folder" {
		folder = $2
		sub(/:$/, "", folder)
		known[folder] = 1
		for (i = 3; i <= NF; i++) {
			if (!($i in known)) print "folders: " folder " stands above " $i
			may[folder, $i] = 1
		}
		next
	}
	$1 == "source" { exists[$2] = 1; next }
	{
		from = $0; sub(/:.*/, "", from)
		name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
		if (from ~ /^tests\//) next
		n = split(parent(from) "/ / include/ analysis/model/ analysis/format/ pmpi/", places, " ")
		target = ""
		for (i = 1; i <= n && target == ""; i++) {
			path = places[i] == "/" ? name : places[i] name
			while (path ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", path)
			if (path in exists) target = path
		}
		at = parent(from)
		to = parent(target)
		if (at != "include" && !(at in known)) print from ": not in tests/rules/folders"
		else if (target != "" && to != at && to != "include" && !((at, to) in may)) print from ": " name
	}'
}
expect "includes go one way" "$(outside $sources)" ""
mkdir -p "$TEST_TMPDIR/made/analysis/base" "$TEST_TMPDIR/made/tests/rules"
cp tests/rules/folders "$TEST_TMPDIR/made/tests/rules"
echo '#include "analysis/command/main.c"' >"$TEST_TMPDIR/made/analysis/base/greet.c"
expect "the other way is found" "$(cd "$TEST_TMPDIR/made" && outside analysis/base/greet.c)" \
	"analysis/base/greet.c: analysis/command/main.c"

folders=$(sed -n 's/^\([a-z][^:]*\):.*/\1/p' tests/rules/folders)
many=
for folder in $folders; do
	n=$(find "$folder" -maxdepth 1 -name '*.[chS]' | wc -l)
	[ "$n" -ge 1 ] && [ "$n" -le 23 ] || many="$many $folder:$n"
done
expect "each folder of tests/rules/folders holds at most 23 sources" "$many" ""
expect "each has a README that a release holds" \
	"$(for folder in $folders; do [ -e "$TEST_TMPDIR/release/$folder/README" ] || echo "$folder"; done)" ""
expect "and each page of contrib/experiments" "$(cd contrib/experiments && for page in *; do
	[ -e "$TEST_TMPDIR/release/contrib/experiments/$page" ] && { [ "$page" = README ] || grep -q "^    $page " README; } ||
		echo "$page"
done)" ""
expect "HACKING names each folder" "$(for folder in $folders; do grep -q "^    $folder/ " HACKING || echo "$folder"; done)" ""

expect "analysis knows no MPI" \
	"$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]mpi\.h' -r include analysis)" ""
expect "the models know no SQLite and open no files" \
	"$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(sqlite3|fcntl|unistd)\.h|\<f?open *\(' -r analysis/model)" ""
# result_codes FILE...: uses of what only analysis/format/db may see
result_codes() {
	grep -nE "\\<(SQLITE_($codes)(_[A-Z_]*)?\\>|sqlite3_($coded) ?\\()" "$@" /dev/null
}
codes='OK|ROW|DONE|ERROR|INTERNAL|PERM|ABORT|BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|CORRUPT|NOTFOUND|FULL'
codes="$codes|CANTOPEN|PROTOCOL|EMPTY|SCHEMA|TOOBIG|CONSTRAINT|MISMATCH|MISUSE|NOLFS|AUTH|FORMAT|RANGE|NOTADB|DENY"
coded='step|exec|prepare(_v[23])?|open(_v2)?|(extended_)?errcode|errstr|create_function|create_module(_v2)?'
elsewhere=$(printf '%s\n' $sources | grep -E '^(analysis|pmpi)/' | grep -v '^analysis/format/db/')
expect "SQLite's result codes end in analysis/format/db" "$(result_codes $elsewhere)" ""
echo 'if (sqlite3_step(s) == SQLITE_IOERR_READ) return sqlite3_errcode(db) == SQLITE_NULL;' >"$TEST_TMPDIR/codes.c"
expect "one elsewhere is found" "$(cd "$TEST_TMPDIR" && result_codes codes.c | cut -d: -f1,2)" "codes.c:1"
# Files of the kernel are named or, in four sources of the library, made up; the last reads what its user pipes into it.
expect "files are opened by analysis/base/file.c, which waits for none" \
	"$(grep -nE '\<f?open(at)? ?\(' -r analysis pmpi --include='*.c' | grep -vE \
		'^(analysis/base/file|analysis/blame/log|pmpi/(record/clock|start/cpu|callsite/lock)|analysis/modelling/input)\.c:|"/(proc|dev)/' |
		grep -vE '^[^:]*:[0-9]*:([[:space:]]*/?\*|[[:space:]]*")')" ""

without=$(printf '%s\n' $texts | grep -vxF "$($awk \
	'FNR <= 5 && /SPDX-License-Identifier: BSD-3-Clause/ { print FILENAME }' $texts)")
expect "each file names its licence" "$without" ""

# The second or third line is "NAME: what it does", for a program "NAME ARGUMENTS: what it does".
# purposeless FILE...: those without it
purposeless() {
	$awk 'FNR == 1 {
		if (file != "") print file
		file = name = FILENAME
		sub(/.*\//, "", name)
	}
	FNR > 3 { next }
	{
		text = $0
		sub(/^(\/\*| \*) /, "", text)
		if (text == $0 || index(text, name) != 1) next
		text = substr(text, length(name) + 1)
		if (text ~ /^( [^:]*)?: [^ ]/) file = ""
	}
	END { if (file != "") print file }' "$@"
}
expect "each C file begins with its name and what it does" "$(purposeless $sources)" ""
printf '%s\n' "/* SPDX */" "/* named.c: greets. */" >"$TEST_TMPDIR/named.c"
printf '%s\n' "/* SPDX */" "/* Greets: unnamed.c. */" >"$TEST_TMPDIR/unnamed.c"
expect "one without is found" "$(cd "$TEST_TMPDIR" && purposeless unnamed.c named.c)" "unnamed.c"

long=$(wc -l $sources | $awk '$2 != "total" && $1 > 1200 { print $2 ":" $1 }')
expect "no file passes 1200 lines" "$long" ""

# alone FLAG...: what the compiler says of headers whose names are read, each by itself
alone() {
	(cd "$TEST_TMPDIR" && n=0 && while read -r header; do
		n=$((n + 1))
		file=alone-$n.c
		printf '#include "%s"\n' "$header" >"$file"
		echo "$file"
	done | xargs -n 8 -P 2 ${CC:-cc} -w -std=gnu11 -fsyntax-only -I"$TEST_SRC" -I"$TEST_SRC/include" \
		-I"$TEST_BUILD" -I"$TEST_BUILD/include" "$@" 2>&1) | head -n 20
}
# The first header of a source is compiled with nothing in front of it: the build has compiled it alone.
built=$(printf '%s\n' $sources | grep -E '^(analysis|pmpi)/.*\.c$')
first=$($awk 'FNR == 1 { seen = 0 }
	/^[ \t]*#/ && !seen++ && sub(/^[ \t]*#[ \t]*include[ \t]*"/, "") { sub(/".*/, ""); print }' $built)
# One MPI is enough: pmpi's headers are read with its header and what is generated for it.
# shellcheck disable=SC2086
set -- $MPIS
flags=$(mpi_setting "$1" CFLAGS)
headers=$(printf '%s\n' $sources | grep -E '^(include|analysis|pmpi)/.*\.h$' | grep -vxF "$first")
expect "every header compiles alone" "$(printf '%s\n' $headers | grep -v ^pmpi/ | alone)" ""
# shellcheck disable=SC2086
expect "those of pmpi do" \
	"$(printf '%s\n' $headers | grep ^pmpi/ | alone -I"$TEST_BUILD/pmpi" -I"$TEST_BUILD/pmpi/$1" $flags)" ""
echo 'size_t missing(void);' >"$TEST_TMPDIR/needs.h"
check "one that needs another is found" [ -n "$(printf '%s\n' needs.h include/tryst.h | alone -I"$TEST_TMPDIR")" ]

# Those of check-asan and its like are below this one, and their compilers wrote the same names with other paths.
other=$TEST_BUILD/sanitize/whole-other/tests/unit
mkdir -p "$other"
echo 'tests/unit/of_another_build: tests/unit/from_there.c' >"$other/of_another_build.d"
make -n -C "$TEST_BUILD" tests/unit/of_another_build >"$TEST_TMPDIR/target" 2>&1
check "a whole build below this one has rules of its own" grep -q "No rule to make target 'tests/unit/of_another_build'" \
	"$TEST_TMPDIR/target"
rm -rf "$TEST_BUILD/sanitize/whole-other"
finish
