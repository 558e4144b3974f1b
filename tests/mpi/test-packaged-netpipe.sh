#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: alone timeout=400
# NetPIPE: ping-pongs from 1 byte to 256 KiB, by both MPI libraries.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3
. "$TEST_SRC/tests/mpi/packaged.sh"

need NPopenmpi netpipe-openmpi
need NPmpich2 netpipe-mpich2
mkdir t
mask() {
	sed -E -e 's/-->.*//' -e '/^Sending output/d' | sort
}
RANKS=2
for mpi in $MPIS; do
	case $mpi in
	openmpi) program=NPopenmpi ;;
	mpich) program=NPmpich2 ;;
	esac
	KEPT='' packaged netpipe $mpi t $program -n 20 -u 262144 -o np.out
done
finish
