/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comms.c: every maker of a communicator. Each one made gets a name that its members share and
 * nobody else has, and a ring of messages inside it; peers in the journal are ranks of
 * MPI_COMM_WORLD. $JOURNAL/comms-NNNNNN.txt: lines `name|maker|size|my_rank`.
 */
#include "journal.h"

static int nranks;
static FILE *comms;

/* Names the communicator, sends once around it, notes it. Takes MPI_COMM_NULL. */
static void use(MPI_Comm comm, const char *maker, const char *name, int color)
{
	char full[MPI_MAX_OBJECT_NAME];
	int size, rank, world[2], peers[2];
	MPI_Group all, group;
	MPI_Request request;
	int in, out = 1;
	long op;

	if (comm == MPI_COMM_NULL)
		return;
	snprintf(full, sizeof(full), "%s %d", name, color);
	C(MPI_Comm_set_name)(comm, full);
	C(MPI_Comm_size)(comm, &size);
	C(MPI_Comm_rank)(comm, &rank);
	peers[0] = (rank + size - 1) % size;
	peers[1] = (rank + 1) % size;
	C(MPI_Comm_group)(MPI_COMM_WORLD, &all);
	C(MPI_Comm_group)(comm, &group);
	C(MPI_Group_translate_ranks)(group, 2, peers, all, world);
	C(MPI_Group_free)(&group);
	C(MPI_Group_free)(&all);
	op = journal_recv("MPI_Irecv", world[0], 7, 4);
	C(MPI_Irecv)(&in, 1, MPI_INT, peers[0], 7, comm, &request);
	journal_send("standard", "MPI_Send", world[1], 7, 4);
	C(MPI_Send)(&out, 1, MPI_INT, peers[1], 7, comm);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	journal_done(op, "MPI_Wait");
	if (comms)
		fprintf(comms, "%s|%s|%d|%d\n", full, maker, size, rank);
}

static void leave(MPI_Comm *comm)
{
	if (*comm != MPI_COMM_NULL)
		C(MPI_Comm_free)(comm);
}

static void copies_and_parts(void)
{
	int me = journal_rank, first = 0;
	MPI_Comm dup, again, part, some, two[2];
	MPI_Group all, odd;
	MPI_Request request, requests[2];
	int range[1][3];

	C(MPI_Comm_dup)(MPI_COMM_WORLD, &dup);
	use(dup, "MPI_Comm_dup", "dup", 0);
	C(MPI_Comm_dup_with_info)(dup, MPI_INFO_NULL, &again);
	use(again, "MPI_Comm_dup_with_info", "dup with info", 0);
	leave(&again);
	C(MPI_Comm_idup)(dup, &again, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	use(again, "MPI_Comm_idup", "idup", 0);
	leave(&again);
	C(MPI_Comm_split)(dup, me % 2, -me, &part);
	use(part, "MPI_Comm_split", "split", me % 2);
	/* Two that are no communicators before the Wait. */
	C(MPI_Comm_idup)(part, &two[0], &requests[0]);
	C(MPI_Comm_idup)(part, &two[1], &requests[1]);
	C(MPI_Waitall)(2, requests, MPI_STATUSES_IGNORE);
	use(two[0], "MPI_Comm_idup", "idup of split", me % 2);
	use(two[1], "MPI_Comm_idup", "second idup of split", me % 2);
	leave(&two[0]);
	leave(&two[1]);
	/* A part of a part, and one that some ranks leave out. */
	C(MPI_Comm_split)(part, me == 0 ? MPI_UNDEFINED : 1, 0, &again);
	use(again, "MPI_Comm_split", "split of split", me % 2);
	leave(&again);
	leave(&part);
	C(MPI_Comm_split_type)(dup, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
	/*
	 * MPICH 5.0 of Debian testing has a communicator for each rank: what it has no shared
	 * memory for
	 */
	C(MPI_Allreduce)(&me, &first, 1, MPI_INT, MPI_MIN, part);
	use(part, "MPI_Comm_split_type", "node", first);
	leave(&part);
	C(MPI_Comm_group)(dup, &all);
	range[0][0] = 0;
	range[0][1] = nranks - 1;
	range[0][2] = 2;
	C(MPI_Group_range_incl)(all, 1, range, &odd);
	C(MPI_Comm_create)(dup, odd, &some);
	use(some, "MPI_Comm_create", "create", 0);
	leave(&some);
	if (me % 2 == 0) {
		C(MPI_Comm_create_group)(dup, odd, 3, &some);
		use(some, "MPI_Comm_create_group", "create group", 0);
		leave(&some);
	}
	C(MPI_Group_free)(&odd);
	C(MPI_Group_free)(&all);
	leave(&dup);
}

static void topologies(void)
{
	int me = journal_rank, dims[2] = { nranks, 1 }, periods[2] = { 1, 0 }, remain[2] = { 1, 0 };
	int index[64], edges[128], left = (me + nranks - 1) % nranks, right = (me + 1) % nranks;
	MPI_Comm grid, line, graph;

	C(MPI_Cart_create)(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	use(grid, "MPI_Cart_create", "grid", 0);
	C(MPI_Cart_sub)(grid, remain, &line);
	use(line, "MPI_Cart_sub", "line", 0);
	leave(&line);
	leave(&grid);
	for (int i = 0; i < nranks; i++) {
		index[i] = 2 * (i + 1);
		edges[2 * i] = (i + nranks - 1) % nranks;
		edges[2 * i + 1] = (i + 1) % nranks;
	}
	C(MPI_Graph_create)(MPI_COMM_WORLD, nranks, index, edges, 0, &graph);
	use(graph, "MPI_Graph_create", "graph", 0);
	leave(&graph);
	C(MPI_Dist_graph_create)
	(MPI_COMM_WORLD, 1, &me, &(int){ 1 }, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	use(graph, "MPI_Dist_graph_create", "dist graph", 0);
	leave(&graph);
	C(MPI_Dist_graph_create_adjacent)
	(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
		&graph);
	use(graph, "MPI_Dist_graph_create_adjacent", "adjacent", 0);
	leave(&graph);
}

/* Even ranks against odd ranks: messages go to the other group's ranks. */
static void intercommunicators(void)
{
	int me = journal_rank, odd = me % 2, remote, in, out = 3, peer, world;
	MPI_Comm half, inter, again, merged;
	MPI_Group all, group;
	MPI_Request request;

	C(MPI_Comm_split)(MPI_COMM_WORLD, odd, 0, &half);
	use(half, "MPI_Comm_split", "half", odd);
	C(MPI_Intercomm_create)(half, 0, MPI_COMM_WORLD, odd ? 0 : 1, 5, &inter);
	C(MPI_Comm_set_name)(inter, "inter");
	C(MPI_Comm_remote_size)(inter, &remote);
	C(MPI_Comm_rank)(inter, &peer);
	if (comms)
		fprintf(comms, "inter|MPI_Intercomm_create|%d|%d\n", (nranks + !odd) / 2, peer);
	if (peer < remote) {
		C(MPI_Comm_group)(MPI_COMM_WORLD, &all);
		C(MPI_Comm_remote_group)(inter, &group);
		C(MPI_Group_translate_ranks)(group, 1, &peer, all, &world);
		C(MPI_Group_free)(&group);
		C(MPI_Group_free)(&all);
		journal_done(journal_recv("MPI_Irecv", world, 9, 4), "MPI_Wait");
		C(MPI_Irecv)(&in, 1, MPI_INT, peer, 9, inter, &request);
		journal_send("standard", "MPI_Send", world, 9, 4);
		C(MPI_Send)(&out, 1, MPI_INT, peer, 9, inter);
		C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	}
	C(MPI_Comm_dup)(inter, &again);
	C(MPI_Comm_set_name)(again, "inter dup");
	C(MPI_Comm_rank)(again, &peer);
	if (comms)
		fprintf(comms, "inter dup|MPI_Comm_dup|%d|%d\n", (nranks + !odd) / 2, peer);
	C(MPI_Intercomm_merge)(again, odd, &merged);
	use(merged, "MPI_Intercomm_merge", "merged", 0);
	leave(&merged);
	leave(&again);
	C(MPI_Comm_idup)(inter, &again, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	C(MPI_Comm_set_name)(again, "inter idup");
	C(MPI_Comm_rank)(again, &peer);
	if (comms)
		fprintf(comms, "inter idup|MPI_Comm_idup|%d|%d\n", (nranks + !odd) / 2, peer);
	C(MPI_Intercomm_merge)(again, odd, &merged);
	use(merged, "MPI_Intercomm_merge", "merged of idup", 0);
	leave(&merged);
	leave(&again);
	leave(&inter);
	leave(&half);
}

int main(int argc, char **argv)
{
	journal_init(&argc, &argv);
	C(MPI_Comm_size)(MPI_COMM_WORLD, &nranks);
	REQUIRE(nranks <= 64);
	if (getenv("JOURNAL"))
		comms = journal_open("comms");
	copies_and_parts();
	topologies();
	if (nranks > 1)
		intercommunicators();
	/* Many that come and go: handles are used again, identities are not. */
	for (int i = 0; i < 20; i++) {
		MPI_Comm comm;

		C(MPI_Comm_dup)(MPI_COMM_WORLD, &comm);
		use(comm, "MPI_Comm_dup", "come and go", i);
		leave(&comm);
	}
	if (comms)
		REQUIRE(fclose(comms) == 0);
	journal_write();
	MPI_Finalize();
	return 0;
}
