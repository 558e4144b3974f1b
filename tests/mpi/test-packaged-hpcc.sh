#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# hpcc: Fortran-like C, polling by the hundred thousand, every kind of message.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

need hpcc hpcc
mpis_with openmpi
mkdir t
cp "$TEST_SRC/tests/mpi/hpccinf.txt" t/hpccinf.txt

mask() {
	sed -E -e 's/[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?/#/g' -e 's/[0-9]+e[-+][0-9]+/#/g' -e 's/  */ /g' \
		-e 's/^([A-Za-z_]*(STREAM_(Copy|Scale|Add|Triad)|DGEMM_Gflops|Gflops|Tflops|GUPs|GBs|GBytes|usec))=[0-9]+$/\1=#/' \
		-e '/[Tt]ime|Node|order of .* microseconds|clock ticks|max number of ping|max client pings|rror [0-9]|MPI_Wtick|Failed to allocate/d'
}
KEPT=hpccoutf.txt packaged hpcc openmpi t hpcc
finish
