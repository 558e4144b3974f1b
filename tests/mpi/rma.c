/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rma.c [PUTS]: every kind of one-sided call and of synchronisation. Two ranks or more; each writes
 * its calls on windows in the order in which they are made: $JOURNAL/rma-NNNNNN.txt, lines
 * `call|window|seq|peer|bytes|complete_call`, `-` for none.
 */
#include "journal.h"

#include <unistd.h>

enum { N = 64, NONE = -1 };

static FILE *rows;
static int me, n, left, right;
static int seq[8]; /* collective calls on each window so far */

static void line(const char *call, int window, int number, int peer, long bytes, const char *end)
{
	if (!rows)
		return;
	fprintf(rows, "%s|%d|", call, window);
	journal_put(rows, number, NONE);
	journal_put(rows, peer, NONE);
	fprintf(rows, "%ld|%s\n", bytes, end);
}

/*
 * The call that follows: on one window by this rank alone, by all, or one whose request ends in
 * Wait.
 */
#define ALONE(f, w, peer, bytes) (line(#f, w, NONE, peer, bytes, #f), C(f))
#define ALL(f, w) (line(#f, w, seq[w]++, NONE, 0, #f), C(f))
#define POST(f, w, peer, bytes) (line(#f, w, NONE, peer, bytes, "MPI_Wait"), C(f))

static void fences(void)
{
	int memory[N], out[N], in[N], zero = 0;
	MPI_Datatype every;
	MPI_Win win;

	for (int i = 0; i < N; i++) {
		memory[i] = 0;
		out[i] = me + i;
	}
	ALL(MPI_Win_create, 1)
	(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	C(MPI_Win_set_name)(win, "halo");
	ALL(MPI_Win_fence, 1)(0, win);
	ALONE(MPI_Put, 1, right, 40)(out, 10, MPI_INT, right, 0, 10, MPI_INT, win);
	ALL(MPI_Win_fence, 1)(0, win);
	REQUIRE(memory[3] == left + 3);
	C(MPI_Type_vector)(4, 1, 2, MPI_INT, &every);
	C(MPI_Type_commit)(&every);
	ALONE(MPI_Get, 1, left, 16)(in, 4, MPI_INT, left, 0, 1, every, win);
	ALONE(MPI_Put, 1, NONE, 0)(&zero, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, win);
	ALL(MPI_Win_fence, 1)(0, win);
	C(MPI_Type_free)(&every);
	ALONE(MPI_Accumulate, 1, right, 8)(out, 2, MPI_INT, right, 20, 2, MPI_INT, MPI_SUM, win);
	ALL(MPI_Win_fence, 1)(MPI_MODE_NOSUCCEED, win);
	REQUIRE(memory[21] == left + 1);
	ALL(MPI_Win_free, 1)(&win);
}

static void general(void)
{
	MPI_Group world, from, to;
	int *memory, out = me, flag = 0;
	MPI_Win win;

	C(MPI_Comm_group)(MPI_COMM_WORLD, &world);
	C(MPI_Group_incl)(world, 1, &left, &from);
	C(MPI_Group_incl)(world, 1, &right, &to);
	ALL(MPI_Win_allocate, 2)
	(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	ALONE(MPI_Win_post, 2, NONE, 0)(from, 0, win);
	ALONE(MPI_Win_start, 2, NONE, 0)(to, 0, win);
	ALONE(MPI_Put, 2, right, 4)(&out, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	ALONE(MPI_Win_complete, 2, NONE, 0)(win);
	ALONE(MPI_Win_wait, 2, NONE, 0)(win);
	REQUIRE(memory[0] == left);
	ALONE(MPI_Win_post, 2, NONE, 0)(from, 0, win);
	ALONE(MPI_Win_start, 2, NONE, 0)(to, 0, win);
	ALONE(MPI_Win_complete, 2, NONE, 0)(win);
	while (!flag)
		C(MPI_Win_test)(win, &flag);
	line("MPI_Win_test", 2, NONE, NONE, 0, "MPI_Win_test");
	C(MPI_Group_free)(&world);
	C(MPI_Group_free)(&from);
	C(MPI_Group_free)(&to);
	ALL(MPI_Win_free, 2)(&win);
}

static void locks(void)
{
	long out = me, in = 0, one = 1, old, wanted = -1;
	MPI_Request request;
	MPI_Comm copy;
	long *memory;
	MPI_Win win;

	C(MPI_Comm_dup)(MPI_COMM_WORLD, &copy);
	ALL(MPI_Win_allocate, 3)
	(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, copy, &memory, &win);
	C(MPI_Comm_free)(&copy);
	for (int i = 0; i < 8; i++)
		memory[i] = 0;
	C(MPI_Barrier)(MPI_COMM_WORLD);
	ALONE(MPI_Win_lock, 3, right, 0)(MPI_LOCK_EXCLUSIVE, right, 0, win);
	ALONE(MPI_Put, 3, right, 8)(&out, 1, MPI_LONG, right, 0, 1, MPI_LONG, win);
	ALONE(MPI_Win_flush, 3, right, 0)(right, win);
	ALONE(MPI_Get, 3, right, 8)(&in, 1, MPI_LONG, right, 0, 1, MPI_LONG, win);
	ALONE(MPI_Win_flush_local, 3, right, 0)(right, win);
	ALONE(MPI_Win_unlock, 3, right, 0)(right, win);
	REQUIRE(in == me);
	ALONE(MPI_Win_lock_all, 3, NONE, 0)(0, win);
	ALONE(MPI_Fetch_and_op, 3, 0, 8)(&one, &old, MPI_LONG, 0, 1, MPI_SUM, win);
#if !defined(OPEN_MPI) || OMPI_MAJOR_VERSION > 4 /* 4.1.4 dies in it, over shared memory */
	ALONE(MPI_Compare_and_swap, 3, right, 8)(&one, &wanted, &old, MPI_LONG, right, 2, win);
#else
	(void)wanted;
#endif
	ALONE(MPI_Get_accumulate, 3, right, 8)
	(&one, 1, MPI_LONG, &old, 1, MPI_LONG, right, 3, 1, MPI_LONG, MPI_SUM, win);
	ALONE(MPI_Win_flush_all, 3, NONE, 0)(win);
#if MPI_VERSION >= 4
	ALONE(MPI_Put_c, 3, right, 8)(&out, 1, MPI_LONG, right, 6, 1, MPI_LONG, win);
	ALONE(MPI_Get_c, 3, right, 8)(&in, 1, MPI_LONG, right, 7, 1, MPI_LONG, win);
#endif
	POST(MPI_Rput, 3, right, 8)(&out, 1, MPI_LONG, right, 4, 1, MPI_LONG, win, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	POST(MPI_Rget, 3, right, 8)(&in, 1, MPI_LONG, right, 0, 1, MPI_LONG, win, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	REQUIRE(in == me);
	POST(MPI_Raccumulate, 3, right, 8)
	(&one, 1, MPI_LONG, right, 5, 1, MPI_LONG, MPI_SUM, win, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	POST(MPI_Rget_accumulate, 3, right, 8)
	(&one, 1, MPI_LONG, &old, 1, MPI_LONG, right, 5, 1, MPI_LONG, MPI_SUM, win, &request);
	C(MPI_Wait)(&request, MPI_STATUS_IGNORE);
	ALONE(MPI_Win_flush_local_all, 3, NONE, 0)(win);
	ALONE(MPI_Win_sync, 3, NONE, 0)(win);
	ALONE(MPI_Win_unlock_all, 3, NONE, 0)(win);
	C(MPI_Barrier)(MPI_COMM_WORLD);
	REQUIRE(memory[0] == left && memory[4] == left && memory[5] == 2 && (me || memory[1] == n));
	ALL(MPI_Win_free, 3)(&win);
}

/* Rank 1 comes to a fence 100 ms after it has heard of all others, which go there at once. */
static void late(void)
{
	int memory[N];
	MPI_Win win;

	ALL(MPI_Win_create, 4)
	(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	ALL(MPI_Win_fence, 4)(0, win);
	for (int i = 0; i < n; i++) {
		char byte = 0;
		long op;

		if (i == 1 || (me != 1 && me != i))
			continue;
		if (me == 1) {
			op = journal_recv("MPI_Recv", i, 1, 1);
			C(MPI_Recv)(&byte, 1, MPI_CHAR, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			op = journal_send("standard", "MPI_Send", 1, 1, 1);
			C(MPI_Send)(&byte, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
		}
		journal_done(op, me == 1 ? "MPI_Recv" : "MPI_Send");
	}
	if (me == 1)
		usleep(100000);
	ALL(MPI_Win_fence, 4)(0, win);
	ALL(MPI_Win_free, 4)(&win);
}

/* Puts to itself, for budgets. */
static void many(int puts)
{
	int memory[N], out = me;
	MPI_Win win;

	ALL(MPI_Win_create, 5)
	(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	ALL(MPI_Win_fence, 5)(0, win);
	for (int i = 0; i < puts; i++)
		ALONE(MPI_Put, 5, me, 4)(&out, 1, MPI_INT, me, 0, 1, MPI_INT, win);
	ALL(MPI_Win_fence, 5)(0, win);
	ALL(MPI_Win_free, 5)(&win);
}

int main(int argc, char **argv)
{
	journal_init(&argc, &argv);
	me = journal_rank;
	C(MPI_Comm_size)(MPI_COMM_WORLD, &n);
	left = (me + n - 1) % n;
	right = (me + 1) % n;
	if (getenv("JOURNAL"))
		rows = journal_open("rma");
	fences();
	general();
	locks();
	late();
	if (argc > 1)
		many(atoi(argv[1]));
	if (rows)
		REQUIRE(fclose(rows) == 0);
	journal_write();
	MPI_Finalize();
	return 0;
}
