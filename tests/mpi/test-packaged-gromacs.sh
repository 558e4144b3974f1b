#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# GROMACS: energy of a box of water minimised in 40 steps; same coordinates to the last digit.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

need gmx_mpi gromacs
mpis_with openmpi
mkdir t prepare
cd prepare || exit 1
cat >topol.top <<'END'
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
water
[ molecules ]
END
cat >water.mdp <<'END'
integrator = steep
nsteps = 40
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
define = -DFLEXIBLE
END
check "a box of water" to solvate mpi_run openmpi 1 gmx_mpi -quiet solvate -cs spc216.gro -box 2.6 2.6 2.6 \
	-o water.gro -p topol.top
check "input for mdrun" to grompp mpi_run openmpi 1 gmx_mpi -quiet grompp -f water.mdp -c water.gro \
	-p topol.top -o ../t/water.tpr
cd ..
mkdir try
mpi_run openmpi 1 gmx_mpi -quiet mdrun -s t/water.tpr -ntomp 1 -nsteps 0 -deffnm try/water >try/said 2>&1 ||
	! grep "compiled to use the rdtscp CPU instruction" try/said ||
	skip "this processor lacks an instruction that the package was built for (rdtscp)"

mask() {
	sed -E '/Hardware|CPU|Process ID|Working dir|[Tt]ime:|Log file|Date|rank [0-9]+ (on|of)/d; /NODE|Mnbf|GFlops/d'
}
KEPT=end.gro packaged gromacs openmpi t gmx_mpi -quiet mdrun -s water.tpr -ntomp 1 -reprod -c end.gro
finish
