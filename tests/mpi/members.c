/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * members.c: communicators whose ranks stand in the world's order and in others. In each of them
 * every rank sends one integer to the next rank, with that one's rank in MPI_COMM_WORLD as the tag.
 */
#include <mpi.h>
#include <stdlib.h>

static int me, nranks;

static void to_next(MPI_Comm comm)
{
	int rank, size, in, next, *world;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	world = malloc((size_t)size * sizeof(*world));
	if (!world)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Allgather(&me, 1, MPI_INT, world, 1, MPI_INT, comm);
	next = (rank + 1) % size;
	MPI_Sendrecv(&me, 1, MPI_INT, next, world[next], &in, 1, MPI_INT, MPI_ANY_SOURCE, me, comm,
		MPI_STATUS_IGNORE);
	free(world);
	MPI_Comm_free(&comm);
}

static void split(int color, int key)
{
	MPI_Comm comm;

	MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
	to_next(comm);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	split(0, me);
	split(me % 2, me);
	split(me < 3, me);
	split(0, -me);
	split(0, (me + nranks / 2) % nranks);
	split(0, me % 3);
	split(me == 1, -me);
	MPI_Finalize();
	return 0;
}
