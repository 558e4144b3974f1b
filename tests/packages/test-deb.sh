#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone long timeout=1800
# make deb: lintian accepts the packages, and what is installed from them in a fresh system works with both MPIs,
# of which it has needed none.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/packages/system.sh"
need dpkg-buildpackage dpkg-dev
need dh debhelper
need lintian lintian

check "make deb" to made make -C "$TEST_BUILD" deb
[ $lib_failed -eq 0 ] || { tail -n 20 made; finish; }
lintian --no-cfg --fail-on error,warning "$TEST_BUILD"/deb/*.changes >lintian.out 2>&1
expect "lintian accepts it" $? 0
expect "lintian has no errors and no warnings" "$(grep '^[EW]:' lintian.out)" ""
expect "nor was any hushed up" "$(dpkg-deb -c "$TEST_BUILD"/deb/tryst_*.deb | grep lintian/overrides)" ""

need_systems
mkdir inside
cp "$TEST_BUILD"/deb/tryst_*.deb inside
cp "$TEST_SRC/tests/packages/deb-installed.sh" inside
for mpi in $MPIS; do
	cp "$(mpi_program "$mpi" advice)" "inside/advice-$mpi"
done
# shellcheck disable=SC2086 # a word a library
in_system "$PWD/inside" sh deb-installed.sh $MPIS >installed 2>&1
code=$?
grep -e '^ok' -e '^FAILED' installed
expect "the installed package works" $code 0
[ $code -eq 0 ] || tail -n 40 installed
finish
