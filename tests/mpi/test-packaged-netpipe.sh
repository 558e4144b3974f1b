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
# By words, since a launcher may break lines.
mask() {
	sed '/^Sending output/d' | tr '\n' ' ' | sed -E 's/(--> *)?[0-9.]+ Mbps in +[0-9.]+ usec//g' | tr -s ' ' '\n' | sort
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
