#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: long timeout=600
# The two million calls of hpcc, counted by an independent library in the same process.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/mpi/counts.sh"

mpis_with openmpi
need hpcc hpcc
sed -e 's/^1000  *Ns/300          Ns/' -e 's/^2\( *[PQ]s\)/1\1/' /usr/share/doc/hpcc/examples/_hpccinf.txt |
	sed -e 's/^1\( *Qs\)/2\1/' >hpccinf.txt
counts_equal "hpcc" openmpi before 2 hpcc
counts_equal "hpcc" openmpi behind 2 hpcc
finish
