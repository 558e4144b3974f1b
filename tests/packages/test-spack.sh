#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make spack: python loads the recipe, with a recorder of Spack's directives in the place of Spack. It needs what
# configure.ac looks for, and its checksum is the release's.
. "${TEST_SRC:-.}/tests/lib.sh"
need python3 python3
need xz xz-utils

check "make spack" to made make -C "$TEST_BUILD" spack
[ $lib_failed -eq 0 ] || { tail -n 20 made; finish; }
version=$("$TRYST" --version | cut -d ' ' -f 2)
sum=$(sha256sum "$TEST_BUILD/tryst-$version.tar.xz" | cut -d ' ' -f 1)
repository=$TEST_BUILD/spack/spack_repo/tryst
check "it is a repository" grep -q 'namespace: tryst' "$repository/repo.yaml"

cat >load.py <<'END'
import ast, sys, types

called = []

def recorder(name):
    def record(*args, **kw):
        called.append((name, args, kw))
    return record

def module(name):
    m = types.ModuleType(name)
    sys.modules[name] = m
    return m

for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems", "spack"):
    module(name)
base = module("spack_repo.builtin.build_systems.autotools")
base.AutotoolsPackage = type("AutotoolsPackage", (), {})
api = module("spack.package")
# The recipe may use this part of Spack's package API.
for name in ("version", "variant", "depends_on", "requires", "license"):
    setattr(api, name, recorder(name))
api.EnvironmentModifications = type("EnvironmentModifications", (), {})

path = sys.argv[1]
text = open(path).read()
space = {"__name__": "recipe"}
exec(compile(text, path, "exec"), space)
package = space["Tryst"]
assert issubclass(package, base.AutotoolsPackage)
print("doc", bool(package.__doc__))
print("manual", package.manual_download, package.url.startswith("file:///"), package.url.rsplit("/", 1)[1])
for name, args, kw in called:
    print(name, *args, *("%s=%s" % item for item in sorted(kw.items()) if item[0] not in ("description", "msg")))

class Spec:
    def __init__(self, mpi):
        self.mpi = mpi
    def satisfies(self, wanted):
        assert wanted.startswith("^[virtuals=mpi] "), wanted
        return wanted.endswith(" " + self.mpi)

for mpi in ("openmpi", "mpich"):
    one = package()
    one.spec = Spec(mpi)
    print("configure_args", *one.configure_args())
END
check "python loads the recipe" to recipe python3 load.py "$repository/packages/tryst/package.py"
expect "it takes the release" "$(grep '^manual' recipe)" "manual True True tryst-$version.tar.xz"
expect "with its version and checksum" "$(grep '^version' recipe)" "version $version sha256=$sum"
expect "it says what it is" "$(grep -e '^doc' -e '^license' recipe)" "doc True
license BSD-3-Clause"
expect "it configures for the MPI library that it is built with" "$(grep '^configure_args' recipe)" \
	"configure_args --with-mpi=openmpi
configure_args --with-mpi=mpich"

# By their files for pkg-config, with what stands for each in Spack.
for pair in sqlite3:sqlite libdw:elfutils libunwind:libunwind otf2:otf2 ncursesw:ncurses zlib:zlib-api; do
	check "configure.ac looks for ${pair%:*}" grep -q "^PKG_CHECK_MODULES(\[[A-Z0-9]*\], \[${pair%:*}[] ]" "$TEST_SRC/configure.ac"
	check "so the recipe needs ${pair#*:}" grep -q "^depends_on ${pair#*:}\\(@\\| \\|\$\\)" recipe
done
expect "configure.ac looks for nothing else but MPI and CUnit" \
	"$(sed -n 's/^.*PKG_CHECK_MODULES(\[[A-Z0-9_]*\], \[\([a-z0-9_-]*\).*/\1/p' "$TEST_SRC/configure.ac" |
		grep -v mpi | sort | tr '\n' ' ')" "cunit libdw libunwind ncursesw otf2 sqlite3 zlib "
least=$(sed -n 's/.*\[sqlite3 >= \([0-9.]*\)\].*/\1/p' "$TEST_SRC/configure.ac")
check "the oldest SQLite is configure.ac's" grep -q "^depends_on sqlite@$least:" recipe
check "an MPI library is needed" grep -q '^depends_on mpi$' recipe
finish
