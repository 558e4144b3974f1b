/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives.c: every collective, blocking and nonblocking, twice, and the neighbourhood ones.
 * Each rank writes the sequence of its collectives on MPI_COMM_WORLD: $JOURNAL/colls-NNNNNN.txt,
 * lines `seq|call|root`; root is `-` where there is none.
 */
#include "journal.h"

static FILE *colls;
static long seq;

/* Notes the next collective on MPI_COMM_WORLD; root -1: none. */
static void world(const char *call, int root)
{
	if (!colls)
		return;
	fprintf(colls, "%ld|%s|", seq++, call);
	if (root < 0)
		fprintf(colls, "-\n");
	else
		fprintf(colls, "%d\n", root);
}

#define W(function, root) (world(#function, root), C(function))

enum { N = 3, RANKS_MAX = 64 };
static int n, me;
static int a[N * RANKS_MAX], b[N * RANKS_MAX], counts[RANKS_MAX], displs[RANKS_MAX];
static MPI_Datatype types[RANKS_MAX];
static int byte_displs[RANKS_MAX];

static void fill(void)
{
	for (int i = 0; i < N * n; i++) {
		a[i] = me + i;
		b[i] = -1;
	}
}

static void blocking(int root)
{
	MPI_Comm c = MPI_COMM_WORLD;

	fill();
	W(MPI_Barrier, -1)(c);
	W(MPI_Bcast, root)(a, N, MPI_INT, root, c);
	REQUIRE(a[1] == root + 1);
	fill();
	W(MPI_Gather, root)(a, N, MPI_INT, b, N, MPI_INT, root, c);
	REQUIRE(me != root || b[N * (n - 1)] == n - 1);
	W(MPI_Gatherv, root)(a, N, MPI_INT, b, counts, displs, MPI_INT, root, c);
	W(MPI_Scatter, root)(a, N, MPI_INT, b, N, MPI_INT, root, c);
	REQUIRE(b[0] == root + N * me);
	W(MPI_Scatterv, root)(a, counts, displs, MPI_INT, b, N, MPI_INT, root, c);
	W(MPI_Allgather, -1)(a, N, MPI_INT, b, N, MPI_INT, c);
	REQUIRE(b[N * (n - 1) + 1] == n);
	W(MPI_Allgatherv, -1)(a, N, MPI_INT, b, counts, displs, MPI_INT, c);
	W(MPI_Alltoall, -1)(a, N, MPI_INT, b, N, MPI_INT, c);
	W(MPI_Alltoallv, -1)(a, counts, displs, MPI_INT, b, counts, displs, MPI_INT, c);
	W(MPI_Alltoallw, -1)(a, counts, byte_displs, types, b, counts, byte_displs, types, c);
	REQUIRE(b[N * (n - 1)] == n - 1 + N * me);
	W(MPI_Reduce, root)(a, b, N, MPI_INT, MPI_SUM, root, c);
	W(MPI_Allreduce, -1)(a, b, N, MPI_INT, MPI_MAX, c);
	REQUIRE(b[0] == n - 1);
	W(MPI_Allreduce, -1)(MPI_IN_PLACE, b, N, MPI_INT, MPI_MAX, c);
	W(MPI_Reduce_scatter, -1)(a, b, counts, MPI_INT, MPI_SUM, c);
	W(MPI_Reduce_scatter_block, -1)(a, b, N, MPI_INT, MPI_SUM, c);
	W(MPI_Scan, -1)(a, b, N, MPI_INT, MPI_SUM, c);
	W(MPI_Exscan, -1)(a, b, N, MPI_INT, MPI_SUM, c);
}

/* Ends a nonblocking collective in one of four ways, after work for MPI in between. */
static void end(MPI_Request *request)
{
	static int turn;
	int flag = 0;

	switch (turn++ % 4) {
	case 0:
		C(MPI_Wait)(request, MPI_STATUS_IGNORE);
		break;
	case 1:
		while (!flag)
			C(MPI_Test)(request, &flag, MPI_STATUS_IGNORE);
		break;
	case 2:
		C(MPI_Waitall)(1, request, MPI_STATUSES_IGNORE);
		break;
	default:
		C(MPI_Waitany)(1, request, &flag, MPI_STATUS_IGNORE);
	}
	REQUIRE(*request == MPI_REQUEST_NULL);
}

static void nonblocking(int root)
{
	MPI_Comm c = MPI_COMM_WORLD;
	MPI_Request r;

	fill();
	W(MPI_Ibarrier, -1)(c, &r);
	end(&r);
	W(MPI_Ibcast, root)(a, N, MPI_INT, root, c, &r);
	end(&r);
	REQUIRE(a[1] == root + 1);
	fill();
	W(MPI_Igather, root)(a, N, MPI_INT, b, N, MPI_INT, root, c, &r);
	end(&r);
	W(MPI_Igatherv, root)(a, N, MPI_INT, b, counts, displs, MPI_INT, root, c, &r);
	end(&r);
	W(MPI_Iscatter, root)(a, N, MPI_INT, b, N, MPI_INT, root, c, &r);
	end(&r);
	W(MPI_Iscatterv, root)(a, counts, displs, MPI_INT, b, N, MPI_INT, root, c, &r);
	end(&r);
	W(MPI_Iallgather, -1)(a, N, MPI_INT, b, N, MPI_INT, c, &r);
	end(&r);
	W(MPI_Iallgatherv, -1)(a, N, MPI_INT, b, counts, displs, MPI_INT, c, &r);
	end(&r);
	W(MPI_Ialltoall, -1)(a, N, MPI_INT, b, N, MPI_INT, c, &r);
	end(&r);
	W(MPI_Ialltoallv, -1)(a, counts, displs, MPI_INT, b, counts, displs, MPI_INT, c, &r);
	end(&r);
	W(MPI_Ialltoallw, -1)(a, counts, byte_displs, types, b, counts, byte_displs, types, c, &r);
	end(&r);
	REQUIRE(b[N * (n - 1)] == n - 1 + N * me);
	W(MPI_Ireduce, root)(a, b, N, MPI_INT, MPI_SUM, root, c, &r);
	end(&r);
	W(MPI_Iallreduce, -1)(a, b, N, MPI_INT, MPI_MAX, c, &r);
	end(&r);
	REQUIRE(b[0] == n - 1);
	W(MPI_Ireduce_scatter, -1)(a, b, counts, MPI_INT, MPI_SUM, c, &r);
	end(&r);
	W(MPI_Ireduce_scatter_block, -1)(a, b, N, MPI_INT, MPI_SUM, c, &r);
	end(&r);
	W(MPI_Iscan, -1)(a, b, N, MPI_INT, MPI_SUM, c, &r);
	end(&r);
	W(MPI_Iexscan, -1)(a, b, N, MPI_INT, MPI_SUM, c, &r);
	end(&r);
}

/* On a periodic line of all ranks: two neighbours each. */
static void neighbourhood(void)
{
	static const int counts2[] = { N, N }, displs2[] = { 0, N };
	const MPI_Datatype types2[] = { MPI_INT, MPI_INT };
	const MPI_Aint bytes2[] = { 0, 4 * N };
	MPI_Request r;
	MPI_Comm line;

	fill();
	W(MPI_Cart_create, -1)(MPI_COMM_WORLD, 1, &n, &(int){ 1 }, 0, &line);
	C(MPI_Neighbor_allgather)(a, N, MPI_INT, b, N, MPI_INT, line);
	REQUIRE(b[0] == (me + n - 1) % n && b[N] == (me + 1) % n);
	C(MPI_Neighbor_allgatherv)(a, N, MPI_INT, b, counts2, displs2, MPI_INT, line);
	C(MPI_Neighbor_alltoall)(a, N, MPI_INT, b, N, MPI_INT, line);
	C(MPI_Neighbor_alltoallv)(a, counts2, displs2, MPI_INT, b, counts2, displs2, MPI_INT, line);
	C(MPI_Neighbor_alltoallw)(a, counts2, bytes2, types2, b, counts2, bytes2, types2, line);
	C(MPI_Ineighbor_allgather)(a, N, MPI_INT, b, N, MPI_INT, line, &r);
	end(&r);
	C(MPI_Ineighbor_allgatherv)(a, N, MPI_INT, b, counts2, displs2, MPI_INT, line, &r);
	end(&r);
	C(MPI_Ineighbor_alltoall)(a, N, MPI_INT, b, N, MPI_INT, line, &r);
	end(&r);
	C(MPI_Ineighbor_alltoallv)
	(a, counts2, displs2, MPI_INT, b, counts2, displs2, MPI_INT, line, &r);
	end(&r);
	C(MPI_Ineighbor_alltoallw)
	(a, counts2, bytes2, types2, b, counts2, bytes2, types2, line, &r);
	end(&r);
	C(MPI_Comm_free)(&line);
}

int main(int argc, char **argv)
{
	journal_init(&argc, &argv);
	C(MPI_Comm_size)(MPI_COMM_WORLD, &n);
	me = journal_rank;
	REQUIRE(n <= RANKS_MAX);
	for (int i = 0; i < n; i++) {
		counts[i] = N;
		displs[i] = N * i;
		byte_displs[i] = 4 * N * i;
		types[i] = MPI_INT;
	}
	if (getenv("JOURNAL"))
		colls = journal_open("colls");
	blocking(0);
	blocking(n - 1);
	nonblocking(0);
	nonblocking(n - 1);
	neighbourhood();
	if (colls)
		REQUIRE(fclose(colls) == 0);
	journal_write();
	MPI_Finalize();
	return 0;
}
