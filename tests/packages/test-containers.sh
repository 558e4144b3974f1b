#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=2400
# The install steps of the Apptainer definition and of the Dockerfile, each in a fresh system. Then both ways to use
# the library: inside; and bound, when the program sees nothing of tryst but the library's folder.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/packages/system.sh"
need_systems

# The release is what %files and COPY take.
check "a release is laid out" to made make -s -C "$TEST_BUILD" distdir distdir="$PWD/release"
[ $lib_failed -eq 0 ] || { tail -n 20 made; finish; }

# section NAME: of the definition, with its arguments filled in
section() {
	awk -v name="%$1" '
		/^%/ { reading = $1 == name; next }
		reading { print }' "$TEST_SRC/contrib/containers/tryst.def" |
		sed "s/{{ MPI }}/$mpi/g; s/{{ DEBIAN }}/trixie/g"
}

# apptainer MPI: the steps of `apptainer build --build-arg MPI=...`, as one script
apptainer_steps() {
	mpi=$1
	echo 'set -e'
	section files | while read -r from to; do
		[ -z "$from" ] || echo "mkdir -p $to && cp -R release/$from $to"
	done
	echo '(' && section post && echo ')'
	echo '(' && section test && echo ')'
	section environment
}

# docker_steps MPI: the steps of `docker build --build-arg MPI=...`
docker_steps() {
	echo 'set -e'
	sed -e ':again' -e '/\\$/{N;s/\\\n//;b again' -e '}' "$TEST_SRC/contrib/containers/Dockerfile" |
		awk -v mpi="$1" '
			$1 == "ARG" { sub(/^ARG +/, ""); print ($0 ~ /^MPI=/ ? "MPI=" mpi : $0) }
			$1 == "ENV" { sub(/^ENV +/, ""); print "export " $0 }
			$1 == "COPY" { print "mkdir -p " $3 " && cp -R release/" $2 " " $3 }
			$1 == "RUN" { sub(/^RUN +/, ""); print "( cd / && export MPI && " $0 " )" }
			$1 == "WORKDIR" { print "mkdir -p " $2 }'
}

cat >use.sh <<'END'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
[ -z "$(ls -A /usr/src/tryst 2>/dev/null)" ] || echo "the source is left"
mpicc release/tests/mpi/advice.c -I release/include -o advice -lm -lpthread || exit 1
mpirun -np 2 tryst run -o inside ./advice 20 2048 || exit 1
tryst report inside | grep '^2 of 2 ranks'

# Bound: all of /opt/tryst is hidden, then the library's folder is put back at its place. A bare system has no mount.
{ apt-get -q update && apt-get -q -y --no-install-recommends install mount; } >mount.out 2>&1 || { cat mount.out; exit 1; }
library=$(tryst env sh | sed -n 's/^export LD_PRELOAD=//p')
folder=$(dirname "$library")
unshare --mount sh -e -c '
	folder=$1 library=$2
	mkdir -p /mnt/host
	mount --bind "$folder" /mnt/host
	mount -t tmpfs none /opt/tryst
	mkdir -p "$folder"
	mount --bind /mnt/host "$folder"
	if command -v tryst; then exit 1; fi
	mpirun -np 2 env LD_PRELOAD="$library" TRYST_DIR="$PWD/bound" ./advice 20 2048
' sh "$folder" "$library" || exit 1
tryst report bound | grep '^2 of 2 ranks'
echo used
END

for kind in apptainer:openmpi docker:mpich; do
	mpi=${kind#*:} how=${kind%:*}
	mkdir "$how"
	cp -R release "$how"
	"${how}_steps" "$mpi" >"$how/image.sh"
	cat use.sh >>"$how/image.sh"
	# shellcheck disable=SC2016 # the inner shell expands it
	in_system "$PWD/$how" sh image.sh >"$how.out" 2>&1
	expect "$how: an image's steps, then both ways" "$(tail -n 1 "$how.out")" used
	expect "$how: each way has a report" "$(grep -c '^2 of 2 ranks' "$how.out")" 2
	expect "$how: the source is removed" "$(grep 'source is left' "$how.out")" ""
	[ $lib_failed -eq 0 ] || { tail -n 30 "$how.out"; finish; }
done
finish
