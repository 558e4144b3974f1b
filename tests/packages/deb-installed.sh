#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run by test-deb.sh in a fresh system, beside the package and programs for each MPI: deb-installed.sh MPI...
export DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
failed=0

ok() {
	what=$1
	shift
	if "$@"; then
		echo "ok: $what"
	else
		echo "FAILED: $what: $*"
		failed=1
	fi
}

get() {
	apt-get -q -y --no-install-recommends install "$@" >got 2>&1 || { tail -n 20 got; return 1; }
}

packages() {
	dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p'
}

cat >load.sh <<'END'
. "$1"
module use /usr/share/modulefiles
module load tryst && tryst --version && case $PKG_CONFIG_PATH in *-linux-gnu/pkgconfig*) ;; *) exit 1 ;; esac
END

apt-get -q update >/dev/null 2>&1
ok "it installs" get ./tryst_*.deb
ok "it brings no MPI library" test -z "$(packages | grep -e mpi)"
ok "the command runs" tryst --version
library=$(tryst env sh | sed -n 's/^export LD_PRELOAD=//p')
ok "the library is where the command says" test -f "$library"
case $library in
/usr/lib/*-linux-gnu*/tryst/libtryst.so) ;;
*) ok "the library is in a folder of its own of this architecture" false "$library" ;;
esac
ok "programs without MPI do not mind it" env LD_PRELOAD="$library" ls / >/dev/null
for mpi; do
	case $mpi in
	openmpi) get openmpi-bin && run=mpirun.openmpi says='Open MPI' ;;
	mpich) get mpich && run=mpirun.mpich says=MPICH ;;
	esac
	ok "$mpi: a program is recorded by tryst run" "$run" -np 2 tryst run -o "out-$mpi" "./advice-$mpi" 20 2048
	tryst report "out-$mpi" >said 2>&1
	ok "$mpi: the report has both ranks" grep -q "^2 of 2 ranks on 1 host, $says" said
	ok "$mpi: and all messages" grep -q '^80 messages seen from both sides' said
	ok "$mpi: a program is recorded by LD_PRELOAD" "$run" -np 2 env LD_PRELOAD="$library" \
		TRYST_DIR="pre-$mpi" "./advice-$mpi" 20 2048
	ok "$mpi: so it is" test -f "pre-$mpi/rank-000001.db"
	# A busy machine may be too slow to measure. Here it is enough that the program is found and starts.
	"$run" -np 2 tryst calibrate -b 0.5 -o "links-$mpi" >said 2>&1
	ok "$mpi: tryst calibrate finds its program" test -z "$(grep -e tryst-measure -e 'No such file' said)"
	ok "$mpi: and that has its libraries" test -z "$(ldd "/usr/libexec/tryst/tryst-measure-$mpi" | grep 'not found')"
done
ok "pkg-config and module systems install" get pkg-config gcc libc6-dev environment-modules
ok "pkg-config names the library" test "$(pkg-config --variable=preload tryst)" = "$library"
echo '#include <tryst.h>
int main(void) { tryst_phase_begin("all"); tryst_phase_end(); return 0; }' >phases.c
# shellcheck disable=SC2046 # words
ok "a program with tryst.h compiles" gcc $(pkg-config --cflags tryst) phases.c -o phases
ok "Environment Modules load it" sh load.sh /usr/share/modules/init/sh
ok "Lmod installs" get lmod
ok "Lmod loads it" sh load.sh /usr/share/lmod/lmod/init/sh
ok "the completion is bash's" bash -n /usr/share/bash-completion/completions/tryst
ok "it goes" apt-get -q -y purge tryst
ok "and leaves nothing" test -z "$(find /usr /etc /var -xdev -name '*tryst*')"
exit $failed
