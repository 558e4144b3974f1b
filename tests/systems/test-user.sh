#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=900
# quickstart of an ordinary user without sudo: packages that are missing are named, and it goes on with what
# is there. The tree is root's, read-only, and has a space in its path. Then tryst in a prefix with a space.
. "${TEST_SRC:-.}/tests/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can become another user"
need apt-get apt

chmod 755 .
mkdir tools "read only" home2
home=$PWD/home2
chown nobody home2
for entry in "$TEST_SRC"/* "$TEST_SRC/.ci" "$TEST_SRC/.clang-format"; do
	case ${entry##*/} in
	build | configure | Makefile.in | aclocal.m4 | autom4te.cache | build-aux | m4 | config.h.in) ;;
	*) cp -R "$entry" "read only" ;;
	esac
done
chmod -R a+rX,a-w "read only"

# sudo refuses, and one package is said to be missing.
printf '#!/bin/sh\nexit 1\n' >tools/sudo
cat >tools/dpkg-query <<'END'
#!/bin/sh
for package; do :; done
[ "$package" != lammps ] && echo ii
END
chmod 755 tools/*

# A build for one MPI library, without optimisation, takes half as long.
# shellcheck disable=SC2086 # a word a library
set -- $MPIS
echo "with_mpi=$1" >site

# as_user COMMAND...: as nobody, who may write to home2 alone
as_user() {
	(cd "$home" && setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$home" TMPDIR="$home" \
		CFLAGS=-O0 CONFIG_SITE="$TEST_TMPDIR/site" PATH="$TEST_TMPDIR/tools:$PATH" "$@")
}

check "quickstart ends well" to out as_user "$TEST_TMPDIR/read only/quickstart"
expect "it names what is missing" "$(sed -n '/^quickstart/,/^Going/p' out.err)" \
	"quickstart: packages are missing, and only root can install them:
  apt-get install lammps
Going on with what is here."
check "it shows a report" grep -q '^Verdict: ' out
check "tryst is installed below the user's directory" test -x "$home/tryst-build/installed/bin/tryst"
expect "nothing was written to the tree" "$(find "read only" -newer tools/sudo -newer tools/dpkg-query -type f)" ""

installed=$home/tryst-build/installed/bin
cp "$(mpi_program "$1" advice)" "$home/my program"
chown nobody "$home/my program"
launcher=$(lib_launcher "mpirun.$1" mpirun)
check "program and records have a space in their paths" to run.out as_user "$launcher" -np 2 \
	"$installed/tryst" run -o "$home/my records" "$home/my program" 3 2048
expect_sql "$home/my records/rank-000001.db" "SELECT count(*) FROM op WHERE kind = 'recv'" 12
(cd "$TEST_TMPDIR" && "$TEST_SRC/configure" --prefix="$home/with space") >configured 2>&1
check "a prefix that cannot be preloaded from is refused" grep -q "^configure: error: LD_PRELOAD cannot name a library in" configured
finish
