/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spawn.c: MPI_Comm_spawn by all ranks together, then, where there are several, by the last one
 * alone with MPI_Comm_spawn_multiple. Two children each; every parent exchanges 100 integers with
 * each child, and all disconnect. Children first send to a rank that their parents have not.
 */
#include <mpi.h>
#include <stdio.h>

enum { CHILDREN = 2, COUNT = 100 };

static int data[COUNT], wrong;

static void exchange(MPI_Comm children, int tag)
{
	for (int i = 0; i < CHILDREN; i++) {
		data[0] = 40 + i;
		MPI_Send(data, COUNT, MPI_INT, i, tag, children);
		MPI_Recv(data, COUNT, MPI_INT, i, tag + 1, children, MPI_STATUS_IGNORE);
		wrong += data[0] != 41 + i;
	}
	MPI_Comm_disconnect(&children);
}

static void answer(MPI_Comm parent)
{
	int parents;

	MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
	wrong += MPI_Send(data, COUNT, MPI_INT, 1 << 28, 1, parent) == MPI_SUCCESS;
	MPI_Comm_set_errhandler(parent, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_remote_size(parent, &parents);
	for (int i = 0; i < parents; i++) {
		MPI_Status s;

		MPI_Recv(data, COUNT, MPI_INT, i, MPI_ANY_TAG, parent, &s);
		data[0]++;
		MPI_Send(data, COUNT, MPI_INT, i, s.MPI_TAG + 1, parent);
	}
	MPI_Comm_disconnect(&parent);
}

int main(int argc, char **argv)
{
	MPI_Comm parent, children;
	int rank, nranks, errors[CHILDREN];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	MPI_Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL) {
		answer(parent);
	} else {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
			&children, errors);
		exchange(children, 1);
		if (nranks > 1 && rank == nranks - 1) {
			char *commands[] = { argv[0], argv[0] };
			int one[] = { 1, 1 };
			MPI_Info infos[2] = { MPI_INFO_NULL };

			MPI_Info_create(&infos[1]);
			MPI_Info_set(infos[1], "env", "SPAWNED_WITH=this");
			MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, one, infos, 0,
				MPI_COMM_SELF, &children, errors);
			MPI_Info_free(&infos[1]);
			exchange(children, 11);
		}
	}
	MPI_Finalize();
	return wrong;
}
