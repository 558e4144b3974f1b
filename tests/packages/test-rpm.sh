#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone long timeout=1200
# make rpm: rpmbuild takes the spec, and the package requires neither MPI library.
. "${TEST_SRC:-.}/tests/lib.sh"
need rpmbuild rpm

# Debian's packages have other names, and its rpm database is empty.
check "make rpm" to made make -C "$TEST_BUILD" rpm RPMFLAGS=--nodeps
[ $lib_failed -eq 0 ] || { tail -n 20 made; finish; }
rpm=$(ls "$TEST_BUILD"/rpm/tryst-[0-9]*.rpm)
rpm -qpl "$rpm" 2>/dev/null >files
for file in /bin/tryst$ /tryst/libtryst.so$ /tryst/tryst- /libexec/tryst/tryst-measure- /pkgconfig/tryst.pc$ /include/tryst.h$ \
	/man1/tryst.1 /completions/tryst$ /modulefiles/tryst/.*lua$ /containers/tryst.def$; do
	check "it has $file" grep -q -- "$file" files
done
expect "it requires no MPI library" "$(rpm -qpR "$rpm" 2>/dev/null | grep mpi)" ""
check "it requires libunwind" sh -c 'rpm -qpR "$1" 2>/dev/null | grep -q "^libunwind"' sh "$rpm"
expect "the version is configure.ac's" "$(rpm -qp --qf '%{VERSION}' "$rpm" 2>/dev/null)" "$("$TRYST" --version | cut -d ' ' -f 2)"
finish
