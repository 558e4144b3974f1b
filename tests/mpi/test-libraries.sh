#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=200
# README shows the table of MPI libraries that were tried, and tryst doctor compares the program's with it.
. "${TEST_SRC:-.}/tests/lib.sh"

# name|tried|how of each line of the table
{
	tr '\n' ' ' <"$TEST_SRC/include/libraries.def"
	echo
} | $awk '{ gsub(/LIBRARY\("/, "\n&"); print }' | sed -n 's/^LIBRARY("\([^"]*\)", "[^"]*", "[^"]*", "\([^"]*\)",[ 	]*"\([^"]*\)").*/\1|\2|\3/p' >table
check "the table was read" test "$(wc -l <table)" -ge 4
while IFS='|' read -r name tried how; do
	expect "README has the line of $name" "$(grep -cxF "$(printf '    %-15s  %-23s  %s' "$name" \
		"${tried:-none}" "${how:--}")" "$TEST_SRC/README")" 1
done <table
expect "README has no other line" "$(sed -n '/^    library  *tested versions/,/^$/p' "$TEST_SRC/README" | grep -c .)" \
	$(($(wc -l <table) + 1))

doctor() {
	COLUMNS=1000 "$TRYST" doctor "$@" 2>/dev/null | grep 'its MPI'
}

for mpi in $MPIS; do
	check "$mpi: doctor names the version" sh -c 'printf "%s\n" "$1" | grep -Eq "; tested with (Open MPI|MPICH) "' \
		sh "$(doctor "$(mpi_program "$mpi" calls)")"
done

# A library of the family that says it is another one, or a version that nobody tried.
cat >library.c <<'END'
#include <string.h>
int MPI_Get_library_version(char *said, int *length)
{
	strcpy(said, SAYS);
	*length = (int)strlen(said);
	return 0;
}
END
cat >program.c <<'END'
int MPI_Get_library_version(char *, int *);
int main(void)
{
	char said[100];
	int length;

	return MPI_Get_library_version(said, &length);
}
END
# made_up WHAT FILE
made_up() {
	$cc -shared -fPIC "-DSAYS=\"$1\"" -Wl,-soname,"$2" -o "$2" library.c &&
		$cc -o program program.c "./$2" -Wl,-rpath,"$PWD"
}
# says WHAT WANTED [FILE]
says() {
	check "'$1' can be made up" made_up "$1" "${3:-libmpi.so.12}"
	expect "doctor of '$1'" "$(doctor ./program | grep -o '; \(tested .*\|not tested .*\|tryst does not .*\|nothing is .*\)')" "$2"
}
says "Intel(R) MPI Library 2021.16 for Linux* OS" "; not tested with Intel MPI"
says "MPI VERSION    : CRAY MPICH version 8.1.27.26 (ANL base 3.4a2)" "; not tested with Cray MPICH"
says "MPICH Version:      4.0.2" "; tested with MPICH 4.0.2"
says "MPICH Version:      4.0.21" \
	"; tested with MPICH $(sed -n 's/^MPICH|\(.*\)|.*/\1/p' table), but not with this version"
says "Some MPI 1.0, of its own" "; tryst does not know this MPI library and records nothing: Some MPI 1.0"
# A library of the standard ABI has a shim of its own, which not every build has.
shims=$(COLUMNS=1000 "$TRYST" doctor 2>/dev/null | grep 'libtryst.so')
case $shims in
*abi*)
	wanted="; tested with MPICH $(sed -n 's/^MPICH|\(.*\)|.*/\1/p' table), but not with this version"
	other="; not tested with this library of the standard ABI"
	;;
*) wanted="; nothing is recorded: tryst-abi.so is not installed" other=$wanted ;;
esac
says "MPICH Version:      5.9" "$wanted" libmpi_abi.so.1
says "Some MPI 1.0, of its own" "$other" libmpi_abi.so.1
finish
