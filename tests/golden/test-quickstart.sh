#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A step of quickstart tells that it goes on, in a log once a minute; what fails shows its output. Where packages are
# missing and nobody may install them, it goes on as far as it can, and its last line names them.
. "${TEST_SRC:-.}/tests/lib.sh"
need script bsdutils

{
	echo 'log=$PWD/log absent='
	sed -n '/^die()/,/^}/p; /^install_hint()/,/^}/p; /^minute=/p; /^tick()/,/^}/p; /^step()/,/^}/p' "$TEST_SRC/quickstart"
	echo 'step "a slow step" sh -c "echo compiling; sleep 3"'
	echo 'step "one that fails" sh -c "echo no such file; exit 3"'
} >steps
sh steps >out 2>err
expect "a step that fails ends it" $? 1
expect "in a log there is a line a step" "$(cat out)" "a slow step ...
one that fails ..."
sed 's/^minute=60/minute=2/; s/sleep 3/sleep 6/' steps >quick
sh quick >slow 2>/dev/null
check "a minute later it says so, and where its output is" grep -q "^  still at it, 1 min; its output is in $PWD/log" slow
check "and what failed" grep -q "no such file" err
expect "its help is its first comment" "$("$TEST_SRC/quickstart" -h)" \
	"$(sed -n '3,/^$/{s/^# \{0,1\}//p}' "$TEST_SRC/quickstart")"
script -qec 'sh steps' /dev/null >terminal </dev/null
check "on a terminal time goes on" grep -q " 1 s  compiling" terminal
check "and is gone at the end" sh -c 'tr "\r" "\n" <terminal | tail -n 3 | grep -q "quickstart: one that fails: failed"'

# A user without sudo, on a Debian where gcc and lammps are installed and the programs of $1 are not.
as_user_without() {
	rm -rf bin tree/build
	mkdir bin
	for program in cat cut date dirname getconf grep mkdir rm sed sh sleep tail tr wc; do
		ln -s "$(command -v "$program")" bin
	done
	for program in 'apt-get exit 100' 'id echo 1000' 'sudo exit 1' 'autoreconf exit 0' 'aclocal exit 0' \
		'make echo "made: $*"'; do
		case " $1 " in *" ${program%% *} "*) continue ;; esac
		printf '#!/bin/sh\n%s\n' "${program#* }" >"bin/${program%% *}"
	done
	cat >bin/dpkg-query <<-'END'
	#!/bin/sh
	for package; do :; done
	case $package in gcc | lammps) echo ii ;; esac
	END
	chmod +x bin/*
	# shellcheck disable=SC2086 # no word or one
	PATH=$PWD/bin tree/quickstart $options check some/test-one >out 2>err
}

options=
mkdir -p tree/tests/some
cp "$TEST_SRC/quickstart" tree
echo 'need shellcheck shellcheck' >tree/tests/some/test-other.sh
printf '. "$TEST_SRC/tests/some/read.sh"\n[ -n "$here" ] || missing lmp "lammps"\n' >tree/tests/some/test-one.sh
echo '	need munged munge' >tree/tests/some/read.sh
as_user_without "autoreconf make"
expect "without autoreconf a clone cannot be built" $? 1
expect "its messages are three and the last line" "$(sed 's/^\(  apt-get install\) .*/\1 .../' err | cut -c 1-80)" \
	"quickstart: packages are missing, and only root can install them:
  apt-get install ...
Going on with what is here.
quickstart: autoreconf is missing, and a clone has no ./configure without it; as"
check "which names what to install, without packages that are here or for tests alone" grep -q \
	"; as root: apt-get install make autoconf automake .*libdw-dev libopen-trace-format2-dev libncurses-dev zlib1g-dev node-d3$" err
check "tests that are chosen get what they need, but no more" grep -q " bsdutils munge$" err
as_user_without aclocal
check "without automake it says so" grep -q "^quickstart: aclocal is missing, .*apt-get install make autoconf" err
printf '#!/bin/sh\necho "configure: error: no libdw"\nexit 1\n' >tree/configure
chmod +x tree/configure
as_user_without "autoreconf aclocal make"
check "a release wants no autoreconf, but make" grep -q "^quickstart: make is missing, .*apt-get install make autoconf" err
as_user_without "autoreconf aclocal"
expect "where configure fails quickstart does" $? 1
check "its error is shown" grep -q "^configure: error: no libdw$" err
check "and the last line names the packages" sh -c \
	'tail -n 1 err | grep -q "^quickstart: configure: failed; .*as root: apt-get install make autoconf"'
printf '#!/bin/sh\n: >Makefile\n' >tree/configure
as_user_without "autoreconf aclocal"
expect "where it does not, the tests are run" "$? $(tail -n 1 out)" "0 made: -s --no-print-directory check T=some/test-one"
options=-n
as_user_without "autoreconf aclocal"
expect "with -n they are only made" "$? $(tail -n 1 out) $(tail -n 1 tree/build/quickstart.log)" \
	"0 make the tests ... made: -j $(getconf _NPROCESSORS_ONLN) test-programs T=some/test-one"
finish
