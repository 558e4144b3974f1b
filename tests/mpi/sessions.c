/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sessions.c [alone|none]: a program of sessions, without MPI_Init. It makes a communicator of all
 * processes and one of each process alone (`alone`: only that; `none`: neither), and sends a
 * message around. Prints "done", or "older" where the library has no sessions.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#if MPI_VERSION >= 4
static MPI_Comm make(MPI_Session session, const char *set)
{
	MPI_Group group;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, set, &group);
	MPI_Comm_create_from_group(group, "sessions.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	return comm;
}

static void around(MPI_Comm comm, int tag)
{
	int rank, size, out = 7, in[2];

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, tag, in, 2, MPI_INT,
		(rank + size - 1) % size, tag, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Session first, second;
	MPI_Comm all, self;
	int rank = 0;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
	if (argc > 1 && strcmp(argv[1], "none") == 0)
		return MPI_Session_finalize(&first) != MPI_SUCCESS || puts("done") == EOF;
	self = make(first, "mpi://SELF");
	around(self, 1);
	if (argc == 1) {
		all = make(first, "mpi://WORLD");
		MPI_Comm_rank(all, &rank);
		MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
		for (int i = 0; i < 10; i++)
			around(all, 2);
		MPI_Barrier(all);
		around(self, 3);
		MPI_Session_finalize(&second);
		around(all, 4);
		MPI_Comm_free(&all);
	}
	MPI_Comm_free(&self);
	MPI_Session_finalize(&first);
	if (rank == 0)
		puts("done");
	return 0;
}
#else
int main(void)
{
	puts("older");
	return 0;
}
#endif
