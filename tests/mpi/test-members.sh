#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=240
# Whatever the order of a communicator's ranks is, peers are known by their ranks in the world, and all
# members know it by the same number.
. "${TEST_SRC:-.}/tests/lib.sh"
need sqlite3 sqlite3

# more than one window of comm.c in Open MPI; ranks of MPICH spin
for run in openmpi:12 mpich:2; do
	mpi=${run%:*}
	n=${run#*:}
	case " $MPIS " in *" $mpi "*) ;; *) continue ;; esac
	check "$mpi: members ends well" shim_run $mpi $n out-$mpi env TRYST_CALIBRATE=off "$(mpi_program $mpi members)"
	expect "$mpi: all peers" "$(sql out-$mpi "SELECT count(*), sum(peer = tag) FROM op WHERE kind = 'send'" | sort -u)" "7|7"
	expect "$mpi: each communicator has one number" "$(sql out-$mpi "SELECT uid, size FROM communicator
		WHERE maker = 'MPI_Comm_split'" | sort | uniq -c |
		awk '{ split($2, c, "|"); if ($1 != c[2]) print }')" ""
done
finish
