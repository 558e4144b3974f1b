#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank whose greeting in MPI_Finalize is never received goes on alone, also where the library sends
# short messages by rendezvous.
. "${TEST_SRC:-.}/tests/lib.sh"

cat >later.sh <<'END'
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || export TRYST_CLOCK_ERROR=1
exec "$@"
END
cat >later.c <<'END'
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank)
		nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	return MPI_Finalize();
}
END
for mpi in $MPIS; do
	"mpicc.$mpi" -O2 later.c -o later-$mpi || exit 1
	"mpicc.$mpi" -std=gnu11 -O2 -I "$TEST_SRC" -shared -fPIC "$TEST_SRC/tests/mpi/slow_finalize.c" \
		-o slow-$mpi.so || exit 1
	check "$mpi: both ranks end" mpi_run $mpi 2 timeout 30 env LD_PRELOAD="$TRYST_LIB:$PWD/slow-$mpi.so" \
		TRYST_DIR=out-$mpi SLOW_FINALIZE="$PWD/slow-$mpi" sh later.sh ./later-$mpi
	check "$mpi: rank 0 lost its CPU" test -e slow-$mpi
done
finish
