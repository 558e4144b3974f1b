#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The installed module files and the file for pkg-config: another prefix than configure's, and DESTDIR.
. "${TEST_SRC:-.}/tests/lib.sh"
need pkg-config pkg-config

version=$("$TRYST" --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')
# Configured apart from the build, whose own files name its own prefix.
installed=$PWD/installed
mkdir build
# The cache has the results of the configure that made the build.
sed -n '/^## Cache variables/,/^## Output variables/{/^ac_cv_env_/d;/^[a-z][a-zA-Z0-9_]*_cv_[a-zA-Z0-9_]*=/p;}' \
	"$TEST_BUILD/config.log" >build/config.cache
(cd build && "$TEST_SRC/configure" -q -C --disable-dependency-tracking --prefix=/nowhere) >configured 2>&1 ||
	fail "configure: $(tail -n 3 configured)"
check "module files are installed" to made make -C build prefix="$installed" install-nodist_modulefilesDATA \
	install-nodist_sitemodulesDATA install-nodist_pkgconfigDATA install-includeHEADERS
files=$installed/share/modulefiles
expect "one for each kind of modules" "$(cd "$files" && find tryst -type f | sort)" "tryst/$version
tryst/$version.lua"
expect "no path of configure is left" "$(grep -r -e nowhere -e '@[a-z]*@' installed/share installed/lib)" ""

make -C build prefix=/usr DESTDIR="$PWD/staged" install-nodist_modulefilesDATA install-nodist_pkgconfigDATA >made 2>&1
expect "DESTDIR is no part of what they name" "$(grep -r -l "$PWD" staged)" ""
expect "they name the last prefix" "$(grep -h -o '"/usr/bin"' -r staged)" '"/usr/bin"
"/usr/bin"'

# pkg-config: a program that uses tryst.h is compiled and runs without the library.
PKG_CONFIG_PATH=$installed/lib/pkgconfig
export PKG_CONFIG_PATH
cat >phases.c <<'END'
#include <tryst.h>
int main(void)
{
	tryst_phase_begin("all");
	tryst_phase_end();
	return 0;
}
END
flags=$(pkg-config --cflags tryst)
# shellcheck disable=SC2086 # words
check "a program that uses tryst.h compiles" to compiled $cc $flags phases.c -o phases
check "it runs without the library" ./phases
expect "pkg-config knows the version" "$(pkg-config --modversion tryst)" "$version"
expect "nothing is linked" "$(pkg-config --libs tryst)" ""
expect "pkg-config names the library" "$(pkg-config --variable=preload tryst)" "$installed/lib/libtryst.so"
unset PKG_CONFIG_PATH

# Loads the module file by the system's own modules, and prints the variables that it may set. Lmod writes the
# empty entry of MANPATH with a colon more.
cat >load.sh <<'END'
. "$1" || exit 1
unset MANPATH PKG_CONFIG_PATH
PATH=/usr/bin:/bin
module use "$2"
module load "tryst$3" || exit 1
printf '%s\n%s\n%s\n' "$PATH" "${MANPATH%%:*}$(case $MANPATH in *:) echo : ;; esac)" "$PKG_CONFIG_PATH"
module unload "tryst$3"
printf '%s\n%s\n' "$PATH" "$PKG_CONFIG_PATH"
END
loaded="$installed/bin:/usr/bin:/bin
$installed/share/man:
$installed/lib/pkgconfig
/usr/bin:/bin"
# Site mode, with a directory of the site's own
cat >site.sh <<'END'
. "$1" || exit 1
unset TRYST_RECORD TRYST_SITE_DIR
[ -z "$3" ] || export TRYST_SITE_DIR="$3"
module use "$2"
module load tryst-site || exit 1
echo "$LD_PRELOAD $TRYST_RECORD $TRYST_SITE_DIR"
module unload tryst-site
echo "$LD_PRELOAD $TRYST_RECORD $TRYST_SITE_DIR"
END
mkdir tcl-only tcl-only/tryst
cp "$files/tryst/$version" tcl-only/tryst
tried=
for system in /usr/share/lmod/lmod/init/sh /usr/share/modules/init/sh; do
	[ -f $system ] || continue
	tried="$tried $system"
	for place in "$files" "$PWD/tcl-only"; do
		expect "$system loads and unloads $place" "$(sh load.sh $system "$place" "/$version" 2>&1)" "$loaded"
	done
	for own in '' /own; do
		# the linker complains of a library that is not there
		expect "$system: site mode on and off, directory '$own'" "$(sh site.sh $system "$files" $own 2>/dev/null)" \
			"$installed/lib/libtryst.so profile ${own:-/var/spool/tryst}
  $own"
	done
	expect "$system needs no version" "$(sh load.sh $system "$files" "" 2>&1)" "$loaded"
done
[ -n "$tried" ] || missing module "lmod or environment-modules"
finish
