#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# Quantum ESPRESSO's pw.x: Fortran, mostly collectives, in communicators that it makes and frees. Its atom is
# made here, by its own ld1.x.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

mpis_with openmpi
need pw.x quantum-espresso
need ld1.x quantum-espresso
mkdir t
cd t || exit 1
cat >ld1.in <<'END'
 &input
   title='H', zed=1.0, rel=0, config='1s1', iswitch=3, dft='PZ'
 /
 &inputp
   lpaw=.false., pseudotype=1, file_pseudopw='H.pz.UPF', lloc=0, tm=.true.
 /
1
1S 1 0 1.00 0.00 0.80 0.80 0.0
END
cat >h2.in <<'END'
 &control
   calculation='scf', prefix='h2', pseudo_dir='./', outdir='./'
 /
 &system
   ibrav=1, celldm(1)=10.0, nat=2, ntyp=1, ecutwfc=15.0
 /
 &electrons
   conv_thr=1e-6
 /
ATOMIC_SPECIES
H 1.0 H.pz.UPF
ATOMIC_POSITIONS bohr
H 0 0 0
H 1.4 0 0
K_POINTS gamma
END
check "an atom of hydrogen" to ../ld1 mpi_run openmpi 1 sh -c 'ld1.x <ld1.in'
cd ..

# Times and memory differ between any two runs.
mask() {
	sed -E '/CPU|WALL|secs|starts on|terminated on|RAM|dynamical memory|[Ee]lapsed/d'
}
# So few bands cannot be spread over four ranks.
packaged espresso openmpi t pw.x -ndiag 1 -in h2.in
finish
