/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hammer.c [THREADS [ROUNDS [REQUESTS]]]: everything that threads share in a library, at once.
 *
 * With MPI_THREAD_MULTIPLE, each thread has a communicator of its own and in each round: makes and
 * frees a communicator and a datatype; posts REQUESTS receives and sends to the neighbour, of which
 * the next thread completes the receives by Waitall, itself the sends by Testsome; starts
 * persistent requests, receives from anybody what it has probed, and takes part in collectives.
 * Threads end after each round, and new ones come. Rank 0 prints `ops N`: how many each rank
 * posted.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 16, PERSISTENT = 4 };

struct worker {
	pthread_t thread;
	int number;
	MPI_Comm comm;
	MPI_Request *receive, *send;
	MPI_Status *status;
	int *in, *out, *index;
};

static struct worker worker[THREADS_MAX];
static int nranks, me, nthreads = 4, rounds = 3, nrequests = 1500;
static int wrong, ops;
static pthread_barrier_t together;

static void expect(int is_so)
{
	if (!is_so)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void count(int n)
{
	__atomic_fetch_add(&ops, n, __ATOMIC_RELAXED);
}

static void many(struct worker *w, int left, int right)
{
	struct worker *next = &worker[(w->number + 1) % nthreads];
	int left_open = nrequests;

	for (int i = 0; i < nrequests; i++)
		MPI_Irecv(&w->in[i], 1, MPI_INT, i % 3 ? left : MPI_ANY_SOURCE, i % 7, w->comm,
			&w->receive[i]);
	for (int i = 0; i < nrequests; i++) {
		w->out[i] = i;
		MPI_Isend(&w->out[i], 1, MPI_INT, right, i % 7, w->comm, &w->send[i]);
	}
	count(2 * nrequests);
	/* Its receives are the next thread's to wait for. */
	pthread_barrier_wait(&together);
	MPI_Waitall(nrequests, next->receive, next->status);
	for (int i = 0; i < nrequests; i++)
		expect(next->in[i] % 7 == i % 7 && next->status[i].MPI_TAG == i % 7);
	while (left_open > 0) {
		int n;

		MPI_Testsome(nrequests, w->send, &n, w->index, MPI_STATUSES_IGNORE);
		if (n == MPI_UNDEFINED)
			break;
		left_open -= n;
	}
	expect(left_open == 0);
	pthread_barrier_wait(&together);
}

static void persistent(struct worker *w, MPI_Comm comm, int left, int right)
{
	MPI_Request request[2 * PERSISTENT];
	MPI_Datatype pair;
	int in[PERSISTENT][2], out[PERSISTENT][2];

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	for (int i = 0; i < PERSISTENT; i++) {
		out[i][0] = out[i][1] = w->number;
		MPI_Recv_init(in[i], 1, pair, left, i, comm, &request[i]);
		MPI_Send_init(out[i], 1, pair, right, i, comm, &request[PERSISTENT + i]);
	}
	for (int round = 0; round < 3; round++) {
		MPI_Startall(2 * PERSISTENT, request);
		MPI_Waitall(2 * PERSISTENT, request, MPI_STATUSES_IGNORE);
		expect(in[PERSISTENT - 1][1] == w->number);
	}
	count(3 * 2 * PERSISTENT);
	for (int i = 0; i < 2 * PERSISTENT; i++)
		MPI_Request_free(&request[i]);
	MPI_Type_free(&pair);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	int right = (me + 1) % nranks, left = (me + nranks - 1) % nranks, in, sum;
	MPI_Request request;
	MPI_Status status;
	MPI_Comm comm;

	many(w, left, right);
	MPI_Comm_dup(w->comm, &comm);
	persistent(w, comm, left, right);
	MPI_Isend(&w->number, 1, MPI_INT, right, 50, comm, &request);
	MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
	MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
	expect(in == w->number && status.MPI_TAG == 50);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	count(2);
	MPI_Allreduce(&w->number, &sum, 1, MPI_INT, MPI_SUM, comm);
	expect(sum == w->number * nranks);
	MPI_Ibarrier(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&comm);
	return NULL;
}

static void *want(size_t n, size_t bytes)
{
	void *p = calloc(n, bytes);

	if (!p)
		exit(2);
	return p;
}

int main(int argc, char **argv)
{
	int level;

	if (argc > 1)
		nthreads = atoi(argv[1]);
	if (argc > 2)
		rounds = atoi(argv[2]);
	if (argc > 3)
		nrequests = atoi(argv[3]);
	if (nthreads < 1 || nthreads > THREADS_MAX || nrequests < 1)
		return 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	if (level < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	pthread_barrier_init(&together, NULL, (unsigned)nthreads);
	for (int t = 0; t < nthreads; t++) {
		struct worker *w = &worker[t];

		w->number = t;
		MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
		w->receive = want((size_t)nrequests, sizeof(*w->receive));
		w->send = want((size_t)nrequests, sizeof(*w->send));
		w->status = want((size_t)nrequests, sizeof(*w->status));
		w->in = want((size_t)nrequests, sizeof(*w->in));
		w->out = want((size_t)nrequests, sizeof(*w->out));
		w->index = want((size_t)nrequests, sizeof(*w->index));
	}
	for (int round = 0; round < rounds; round++) {
		for (int t = 0; t < nthreads; t++)
			if (pthread_create(&worker[t].thread, NULL, work, &worker[t]))
				return 2;
		for (int t = 0; t < nthreads; t++)
			pthread_join(worker[t].thread, NULL);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	for (int t = 0; t < nthreads; t++)
		MPI_Comm_free(&worker[t].comm);
	if (me == 0)
		printf("ops %d\n", ops);
	fflush(stdout);
	MPI_Finalize();
	return wrong ? 3 : 0;
}
