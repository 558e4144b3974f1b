/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matched.c LOG [threads]: messages that matched probes took, received in any order and beside
 * others. The lowest rank sends to the highest one, which may be itself.
 *
 * Each line of the table below is a script for the receiver; its messages have a tag of their own,
 * are sent before it begins, and say how many of them were sent before. LOG gets a line for each
 * receive, in the order of the calls: TAG|RECEIVE|MESSAGE, the last two counted from 1 for each
 * tag. With `threads` it is MPI_THREAD_MULTIPLE.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 10, LONG = 300, MESSAGES_MAX = LONG + SLOTS, INTS_MAX = 50000 };

/*
 * Steps: p0 Mprobe, q0 Improbe until it is there; m0 Mrecv and n0 Imrecv of what that took; r Recv,
 * i Irecv; P0, Q0, R, I the same from anybody with any tag; t Recv in another thread. What is
 * nonblocking is waited for at the end.
 */
static const char *const scripts[] = { "q0irm0", "p0irm0", "q0irn0", "p0irn0", "q0rrm0r", "p0irn0r",
	"iq0rm0", "iip0q1rn1m0", "Q0Irm0", "P0Rrn0", "Q0p1Im1n0", "IQ0RiP1n1m0", "q0p1q2p3m3n1m0n2",
	"p0q1p2q3n2m0n3m1r", "q0tm0", "p0tn0", "q0itm0", "itp0q1tn1m0", "q0m0p1m1q2n2p3n3r" };
enum {
	SCRIPTS = sizeof(scripts) / sizeof(scripts[0]),
	ORDERS = 32,
	SIZES = 3,
	STEPS_MAX = LONG + 8
};

struct messages {
	MPI_Message taken[SLOTS];
	MPI_Request request[MESSAGES_MAX];
	int nrequests, nreceived;
	int *room[MESSAGES_MAX]; /* of each receive */
	int tag;
};

static int me, nranks, threads;

/* How many receives the script has. */
static int receives(const char *script)
{
	int n = 0;

	for (; *script; script++)
		n += strchr("mnriRIt", *script) != NULL;
	return n;
}

/* All of one size, small or large, or each of its own. */
static int ints_of(int sizes, int message)
{
	return sizes == 0 ? 4 : sizes == 1 ? 4 + message : INTS_MAX - message;
}

static void take(struct messages *m, int any, int waits, int slot)
{
	int source = any ? MPI_ANY_SOURCE : 0, tag = any ? MPI_ANY_TAG : m->tag, flag = 0;

	if (waits)
		MPI_Mprobe(source, tag, MPI_COMM_WORLD, &m->taken[slot], MPI_STATUS_IGNORE);
	while (!waits && !flag)
		MPI_Improbe(source, tag, MPI_COMM_WORLD, &flag, &m->taken[slot], MPI_STATUS_IGNORE);
}

static int *room_for_next(struct messages *m)
{
	return m->room[m->nreceived++] = malloc(INTS_MAX * sizeof(int));
}

static void receive(struct messages *m, int any, int waits)
{
	int source = any ? MPI_ANY_SOURCE : 0, tag = any ? MPI_ANY_TAG : m->tag,
	    *room = room_for_next(m);

	if (waits)
		MPI_Recv(room, INTS_MAX, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Irecv(room, INTS_MAX, MPI_INT, source, tag, MPI_COMM_WORLD,
			&m->request[m->nrequests++]);
}

static void *receive_there(void *messages)
{
	receive(messages, 0, 1);
	return NULL;
}

static void do_step(struct messages *m, char what, int slot)
{
	pthread_t thread;

	if (strchr("pqPQ", what))
		take(m, what == 'P' || what == 'Q', what == 'p' || what == 'P', slot);
	else if (strchr("rRiI", what))
		receive(m, what == 'R' || what == 'I', what == 'r' || what == 'R');
	else if (what == 'm')
		MPI_Mrecv(room_for_next(m), INTS_MAX, MPI_INT, &m->taken[slot], MPI_STATUS_IGNORE);
	else if (what == 'n')
		MPI_Imrecv(room_for_next(m), INTS_MAX, MPI_INT, &m->taken[slot],
			&m->request[m->nrequests++]);
	else if (what == 't' && pthread_create(&thread, NULL, receive_there, m) == 0)
		pthread_join(thread, NULL);
}

static void do_script(const char *script, int sizes, int tag, FILE *log)
{
	static int data[MESSAGES_MAX][INTS_MAX];
	static struct messages m;
	MPI_Request sent[MESSAGES_MAX];
	const int n = receives(script);

	memset(&m, 0, sizeof(m));
	m.tag = tag;
	if (strchr(script, 't') && !threads)
		return;
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; me == 0 && i < n; i++) {
		data[i][0] = i + 1;
		MPI_Isend(data[i], ints_of(sizes, i), MPI_INT, nranks - 1, tag, MPI_COMM_WORLD,
			&sent[i]);
	}
	if (me == nranks - 1) {
		for (const char *step = script; *step; step++)
			do_step(&m, *step, step[1] - '0');
		MPI_Waitall(m.nrequests, m.request, MPI_STATUSES_IGNORE);
	}
	if (me == 0)
		MPI_Waitall(n, sent, MPI_STATUSES_IGNORE);
	for (int i = 0; i < m.nreceived; i++) {
		fprintf(log, "%d|%d|%d\n", tag, i + 1, m.room[i][0]);
		free(m.room[i]);
	}
}

int main(int argc, char **argv)
{
	char script[STEPS_MAX] = "";
	int tag = 0, provided;
	FILE *log = NULL;

	threads = argc > 2 && strcmp(argv[2], "threads") == 0;
	if (threads)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	else
		MPI_Init(&argc, &argv);
	if (threads && provided < MPI_THREAD_MULTIPLE)
		threads = 0;
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	if (me == nranks - 1) {
		log = argc > 1 ? fopen(argv[1], "w") : NULL;
		if (!log)
			MPI_Abort(MPI_COMM_WORLD, 1);
	}
	/* two probes, two receives, in both orders */
	for (int sizes = 0; sizes < SIZES; sizes++)
		for (int order = 0; order < ORDERS; order++) {
			const int first = order & 1;

			snprintf(script, sizeof(script), "%c0%c1%c%d%c%d", order & 2 ? 'q' : 'p',
				order & 4 ? 'q' : 'p', order & 8 ? 'n' : 'm', first,
				order & 16 ? 'n' : 'm', !first);
			do_script(script, sizes, ++tag, log);
		}
	for (int i = 0; i < SCRIPTS; i++)
		do_script(scripts[i], i % 2, ++tag, log);
	/* many others before a message that was taken long ago */
	memset(script, 'r', sizeof(script));
	memcpy(script, "q0p1", 4);
	strcpy(script + 4 + LONG / 2, "n1");
	memset(script + 6 + LONG / 2, 'r', LONG / 2 - 4);
	strcpy(script + LONG + 2, "m0");
	do_script(script, 1, ++tag, log);
	if (log && fclose(log) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Finalize();
	return 0;
}
