#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# MUMPS, a sparse solver in Fortran over ScaLAPACK: it probes for messages of unknown length while it computes.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

mpis_with openmpi
solver=/usr/lib/mumps/dsimpletest
input=/usr/lib/mumps/input_simpletest_real
need $solver mumps-test
mkdir t
mask() {
	sed -E '/[Tt]ime|[Ee]lapsed|[Mm]emory|MBytes/d'
}
# It reads standard input, which is empty for what `packaged` runs.
packaged mumps openmpi t sh -c "exec $solver <$input"
finish
