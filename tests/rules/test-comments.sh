#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Comments and texts name files and functions that exist, and no document that is not in the repository.
. "${TEST_SRC:-.}/tests/lib.sh"
cd "$TEST_SRC" || exit 1

# Not in the tree. tests/mpi/counts.sh makes count-names.h; tryst_shim_load is declared by the name of its type.
files='count-names.h mpi.h mpif.h'
functions='dlclose dlmopen dlsym execvp fork fmax ftruncate getaddrinfo main open openat pthread_exit qsort recv tryst_shim_load write'

# A name is wrong if no path ends with it, in the source or in what is made from it; in C also if it stands alone and
# several files elsewhere have it. A function is wrong if its name is called or defined neither in the same
# file nor in any header.
cat >"$TEST_TMPDIR/judge.awk" <<'EOF'
function file_of(where) { sub(/:.*/, "", where); return where }
function beside(where, name) { sub(/[^\/]*$/, "", where); return where name }
BEGIN {
	n = split(ENVIRON["files"], names, " ")
	for (i = 1; i <= n; i++) ends[names[i]] = 1
	n = split(ENVIRON["functions"], names, " ")
	for (i = 1; i <= n; i++) public[names[i]] = 1
}
$1 == "path" {
	exists[$2] = 1
	n = split($2, part, "/")
	for (name = part[n]; n >= 1; name = part[--n] "/" name) ends[name] = 1
	n = split($2, part, "/")
	named_so[part[n]]++
}
$1 == "made" { n = split($2, part, "/"); ends[part[n]] = 1 }
$1 == "code" {
	called[$2, $3] = 1
	if ($2 ~ /\.(h|def|sql|sh)$/ || $2 ~ /^made\//) public[$3] = 1
}
$1 == "file" {
	sub(/^(\.\.?\/)+/, "", $3)
	from = file_of($2)
	if (!($3 in ends)) print $2 ": " $3
	else if (from ~ /\.[chS]$/ && $3 !~ /\// && named_so[$3] > 1 && !(beside(from, $3) in exists))
		print $2 ": which " $3 "?"
}
$1 == "function" { where[++functions] = $2; what[functions] = $3 }
END {
	for (i = 1; i <= functions; i++)
		if (!(what[i] in public) && !((file_of(where[i]), what[i]) in called) &&
			what[i] !~ /^(sqlite3|dwarf|unw)_/) print where[i] ": " what[i] "()"
}
EOF

# wrong FILE...: names in the comments of these, all others known
wrong() {
	{
		find . -name '*build*' -type d -prune -o -name .git -prune -o -type f -print | sed 's|^\./|path |'
		(cd "$TEST_BUILD" && find include pmpi analysis tests/mpi -name '*.[ch]') | sed 's|^|made |'
		$awk -f "$TEST_SRC/tests/rules/comments.awk" $sources "$@" | grep -vE '^(file|function) ' | sort -u
		$awk -f "$TEST_SRC/tests/rules/comments.awk" "$TEST_BUILD/include/functions.h" | sed -n 's|^code [^ ]* |code made/ |p'
		$awk -f "$TEST_SRC/tests/rules/comments.awk" "$@" | grep -E '^(file|function) '
	} >"$TEST_TMPDIR/names"
	files=$files functions=$functions $awk -f "$TEST_TMPDIR/judge.awk" "$TEST_TMPDIR/names"
}

# Comments of tests/queries hold rows.
sources=$(find include analysis pmpi tests contrib ! -path 'tests/queries/*' \( -name '*.[chS]' -o -name '*.cpp' -o -name '*.def' -o -name '*.sql' \
	-o -name '*.awk' -o -name '*.sh' -o -name '*.mk' \) -type f | sort)
texts=$(find include analysis pmpi tests contrib -name README -o -path 'contrib/experiments/*' -type f | sort)
expect "files and functions that comments name exist" "$(wrong $sources)" ""
expect "and those that texts name" "$(wrong $texts HACKING README)" ""
expect "documents elsewhere are not referred to" \
	"$(grep -nwE '[D]ESIGN|[M]ODELS|[F]ACTS|[P]EERS|[S]TYLE' $sources $texts HACKING README)" ""

# ---- and what is wrong is found ----
mkdir -p "$TEST_TMPDIR/tree"
# What has parentheses in a script counts as a function.
sed 's/@/()/' >"$TEST_TMPDIR/tree/wrong.c" <<'EOF'
/* It is as gone.c has it, by gone_too@, not as main.c:12 or NAME.c. */
static const char *text = "not_here.c"; /* more_gone@ */
EOF
expect "what does not exist is found" "$(wrong "$TEST_TMPDIR/tree/wrong.c" | sed 's/^[^:]*://' | tr '\n' ';' | tr -d '()')" \
	"1: gone.c;1: gone_too;2: more_gone;"
finish
