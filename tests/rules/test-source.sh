#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# What a release holds, who includes whom, headers that compile alone, licence lines, lengths.
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

# Which #include leads from one folder to one that it may not know. An included file is looked for
# beside the one that includes it, from the top, and where compilers are told to look.
wrong=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' $sources | known="$sources" awk '
	function layer(file) {
		if (file ~ /^include\//) return "include"
		if (file ~ /^analysis\/model\//) return "model"
		if (file ~ /^analysis\/store\//) return "store"
		if (file ~ /^analysis\//) return "analysis"
		if (file ~ /^pmpi\//) return "pmpi"
		return "tests"
	}
	BEGIN {
		n = split(ENVIRON["known"], files, /[ \n]+/)
		for (i = 1; i <= n; i++) exists[files[i]] = 1
		may["include"] = " include "
		may["model"] = may["include"] "model "
		may["store"] = may["model"] "store "
		may["analysis"] = may["store"] "analysis "
		may["pmpi"] = may["store"] "pmpi "
	}
	{
		from = $0; sub(/:.*/, "", from)
		name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
		folder = from; sub(/[^\/]*$/, "", folder)
		n = split(folder " " " include/ analysis/model/ analysis/store/ pmpi/", places, " ")
		target = (name in exists) ? name : ""
		for (i = 1; i <= n && target == ""; i++) {
			path = places[i] name
			while (path ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", path)
			if (path in exists) target = path
		}
		if (target != "" && layer(from) != "tests" && index(may[layer(from)], " " layer(target) " ") == 0)
			print from ": " name
	}')
expect "includes go one way: include <- model <- store <- {pmpi, analysis}" "$wrong" ""
expect "analysis knows no MPI" \
	"$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]mpi\.h' -r include analysis)" ""
expect "the models know no SQLite and open no files" \
	"$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(sqlite3|fcntl|unistd)\.h|\<f?open *\(' analysis/model/*.[ch])" ""

without=
for file in $texts; do
	head -n 5 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || without="$without $file"
done
expect "each file names its licence" "$without" ""

long=
for file in $sources; do
	lines=$(wc -l <"$file")
	[ "$lines" -le 1200 ] || long="$long $file:$lines"
done
expect "no file passes 1200 lines" "$long" ""

# pmpi's headers are read with an MPI's header and what is generated for it.
alone() {
	printf '#include "%s"\n' "$1" >"$TEST_TMPDIR/alone.c"
	shift
	${CC:-cc} -std=gnu11 -fsyntax-only -I. -Iinclude -Ianalysis/model -Ianalysis/store -I"$TEST_BUILD" -I"$TEST_BUILD/include" "$@" \
		"$TEST_TMPDIR/alone.c" 2>"$TEST_TMPDIR/alone.err"
}
needing=
for header in $(find include analysis -name '*.h' | sort); do
	alone "$header" || needing="$needing $header"
done
# One MPI is enough.
# shellcheck disable=SC2086
set -- $MPIS
mpi=$1
flags=$(mpi_setting "$mpi" CFLAGS)
for header in $(find pmpi -name '*.h' | sort); do
	# shellcheck disable=SC2086
	alone "$header" -Ipmpi -I"$TEST_BUILD/pmpi" -I"$TEST_BUILD/pmpi/$mpi" $flags && continue
	needing="$needing $mpi:$header"
	head -n 5 "$TEST_TMPDIR/alone.err"
done
expect "every header compiles alone" "$needing" ""

# Those of check-asan and its like are below this one, and their compilers wrote the same names with other paths.
other=$TEST_BUILD/sanitize/whole-other/tests/unit
mkdir -p "$other"
echo 'tests/unit/of_another_build: tests/unit/from_there.c' >"$other/of_another_build.d"
make -n -C "$TEST_BUILD" tests/unit/of_another_build >"$TEST_TMPDIR/target" 2>&1
check "a whole build below this one has rules of its own" grep -q "No rule to make target 'tests/unit/of_another_build'" \
	"$TEST_TMPDIR/target"
rm -rf "$TEST_BUILD/sanitize/whole-other"
finish
