#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone long timeout=1800
# A release by make dist builds and passes unit tests in a fresh system. That has no git, no autotools, and an
# awk that knows POSIX alone.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/packages/system.sh"
need xz xz-utils
need_systems

check "make dist" to made make -C "$TEST_BUILD" dist
[ $lib_failed -eq 0 ] || { tail -n 20 made; finish; }
mkdir inside
cp "$TEST_BUILD/tryst-$("$TRYST" --version | cut -d ' ' -f 2).tar.xz" inside
cat >inside/build.sh <<'END'
export DEBIAN_FRONTEND=noninteractive
set -e
{
	apt-get -q update
	apt-get -q -y --no-install-recommends install gcc make pkg-config libc6-dev xz-utils libopenmpi-dev libmpich-dev \
		libunwind-dev libsqlite3-dev libdw-dev libcunit1-dev original-awk
} >"$HOME/installed" 2>&1
# git is the clone's, and packages of MPI libraries bring some of the others.
for tool in git autoconf autoheader autom4te autoreconf automake aclocal m4 gawk; do
	rm -f /usr/bin/$tool /usr/bin/$tool-[0-9]*
	if command -v $tool; then exit 1; fi
done
tar -xf tryst-*.tar.xz
top=$(echo "$PWD"/tryst-*/)
chmod -R a-w "$top"
mkdir "$HOME/build"
cd "$HOME/build"
"$top/configure" -q --prefix=/opt/tryst AWK=original-awk
make -j "$(getconf _NPROCESSORS_ONLN)"
for unit in test_plan test_table test_options test_symbols; do
	make tests/unit/$unit
	TEST_SRC=$top TEST_BUILD=$PWD tests/unit/$unit
done
make install
/opt/tryst/bin/tryst --version
make DESTDIR="$HOME/staged" install
test -x "$HOME/staged/opt/tryst/bin/tryst"
make uninstall
find /opt/tryst -type f
echo built
END
in_system "$PWD/inside" sh build.sh >built 2>&1
expect "a release is built, tested, installed and removed" "$(tail -n 1 built)" built
expect "nothing is left of it" "$(sed -n '/^\/opt\/tryst/p' built)" ""
[ $lib_failed -eq 0 ] || tail -n 40 built
finish
