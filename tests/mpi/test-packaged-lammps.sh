#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# LAMMPS: C++, Send, Irecv, Wait, Sendrecv; the trajectory is the same.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

need lmp lammps
mpis_with openmpi
mkdir t
sed '$a dump 1 all custom 250 final.dump id x y z\ndump_modify 1 sort id\nrun 0' \
	"$TEST_SRC/tests/mpi/melt.lammps" >t/in.melt

# The tables of times, and where neighbour lists begin in memory, differ between any two runs.
mask() {
	sed -E '/^(Loop time|Performance|Total wall time|[0-9.]+% CPU use|  create_atoms CPU)/d
		/^(Pair|Neigh|Comm|Output|Modify|Other) +\|/d'
}
KEPT=final.dump packaged lammps openmpi t lmp -in in.melt -log none
finish
