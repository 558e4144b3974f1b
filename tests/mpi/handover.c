/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handover.c [ROUNDS]: MPI_THREAD_MULTIPLE. In each round each thread posts a batch of receives and
 * sends, and completes the batch of the next thread (the last one: its own), each by a completion
 * function of its own. So the library gives the handles of one thread's completed requests to
 * others at once.
 *
 * Request k of thread t has tag t * BATCH + k, and 4 bytes more than its tag times 4: each row can
 * be told by its tag. Prints `threads N rounds N batch N` by rank 0.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 4, AHEAD = 4, THREADS_MAX = 16 };

struct batch {
	MPI_Request request[2 * BATCH];
	int in[BATCH][BATCH * THREADS_MAX], out[BATCH][BATCH * THREADS_MAX];
	int n;
};

/* What one thread has posted and one other completes. */
struct queue {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	struct batch batch[AHEAD];
	int posted, completed;
};

static struct queue queue[THREADS_MAX];
static int nthreads, rounds = 100, right, left, wrong;

static void expect(int is_so)
{
	if (!is_so)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

/* ---- each way to complete a batch ---- */

static void by_wait(int n, MPI_Request *request)
{
	for (int i = 0; i < n; i++)
		MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

static void by_waitall(int n, MPI_Request *request)
{
	MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void by_waitany(int n, MPI_Request *request)
{
	int index = 0;

	while (index != MPI_UNDEFINED)
		MPI_Waitany(n, request, &index, MPI_STATUS_IGNORE);
}

static void by_waitsome(int n, MPI_Request *request)
{
	int index[2 * BATCH], done = 0;

	while (done != MPI_UNDEFINED)
		MPI_Waitsome(n, request, &done, index, MPI_STATUSES_IGNORE);
}

static void by_test(int n, MPI_Request *request)
{
	for (int i = 0; i < n; i++)
		for (int done = 0; !done;)
			MPI_Test(&request[i], &done, MPI_STATUS_IGNORE);
}

static void by_testall(int n, MPI_Request *request)
{
	for (int done = 0; !done;)
		MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE);
}

static void by_testany(int n, MPI_Request *request)
{
	for (int done = 0, index = 0; !done || index != MPI_UNDEFINED;)
		MPI_Testany(n, request, &index, &done, MPI_STATUS_IGNORE);
}

static void by_testsome(int n, MPI_Request *request)
{
	int index[2 * BATCH], done = 0;

	while (done != MPI_UNDEFINED)
		MPI_Testsome(n, request, &done, index, MPI_STATUSES_IGNORE);
}

static void (*const complete[])(int, MPI_Request *) = { by_wait, by_waitall, by_waitany,
	by_waitsome, by_test, by_testall, by_testany, by_testsome, by_wait, by_waitall };

/* ---- batches ---- */

/* The last two threads post each pair of ops under one request where the library can. */
static void post_pairs(int t, struct batch *b)
{
#if MPI_VERSION >= 4
	for (int k = 0; k < BATCH; k++) {
		int tag = t * BATCH + k;

		MPI_Isendrecv(b->out[k], tag + 1, MPI_INT, right, tag, b->in[k], tag + 1, MPI_INT,
			left, tag, MPI_COMM_WORLD, &b->request[k]);
	}
	b->n = BATCH;
#else
	(void)t;
	(void)b;
#endif
}

static void post(int t, int round, struct batch *b)
{
	for (int k = 0; k < BATCH; k++)
		b->out[k][0] = round;
	if (MPI_VERSION >= 4 && t >= nthreads - 2) {
		post_pairs(t, b);
		return;
	}
	for (int k = 0; k < BATCH; k++) {
		int tag = t * BATCH + k;

		MPI_Irecv(b->in[k], tag + 1, MPI_INT, left, tag, MPI_COMM_WORLD, &b->request[k]);
	}
	for (int k = 0; k < BATCH; k++) {
		int tag = t * BATCH + k;

		MPI_Isend(b->out[k], tag + 1, MPI_INT, right, tag, MPI_COMM_WORLD,
			&b->request[BATCH + k]);
	}
	b->n = 2 * BATCH;
}

static void *work(void *arg)
{
	int t = (int)(long)arg, of = t < nthreads - 2 ? t + 1 : t == nthreads - 2 ? 0 : t;
	struct queue *mine = &queue[t], *next = &queue[of];

	for (int round = 0; round < rounds; round++) {
		struct batch *b;

		pthread_mutex_lock(&mine->lock);
		while (mine->posted - mine->completed == AHEAD)
			pthread_cond_wait(&mine->moved, &mine->lock);
		pthread_mutex_unlock(&mine->lock);
		post(t, round, &mine->batch[round % AHEAD]);
		pthread_mutex_lock(&mine->lock);
		mine->posted++;
		pthread_cond_signal(&mine->moved);
		pthread_mutex_unlock(&mine->lock);

		pthread_mutex_lock(&next->lock);
		while (next->posted == next->completed)
			pthread_cond_wait(&next->moved, &next->lock);
		pthread_mutex_unlock(&next->lock);
		b = &next->batch[round % AHEAD];
		complete[of](b->n, b->request);
		for (int k = 0; k < BATCH; k++)
			expect(b->in[k][0] == round);
		pthread_mutex_lock(&next->lock);
		next->completed++;
		pthread_cond_signal(&next->moved);
		pthread_mutex_unlock(&next->lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS_MAX];
	int level, me, nranks;

	if (argc > 1)
		rounds = atoi(argv[1]);
	nthreads = (int)(sizeof(complete) / sizeof(complete[0]));
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	right = (me + 1) % nranks;
	left = (me + nranks - 1) % nranks;
	if (level < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	for (long t = 0; t < nthreads; t++) {
		pthread_mutex_init(&queue[t].lock, NULL);
		pthread_cond_init(&queue[t].moved, NULL);
	}
	for (long t = 0; t < nthreads; t++)
		if (pthread_create(&thread[t], NULL, work, (void *)t))
			return 2;
	for (int t = 0; t < nthreads; t++)
		pthread_join(thread[t], NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		printf("threads %d rounds %d batch %d\n", nthreads, rounds, BATCH);
	MPI_Finalize();
	return wrong ? 3 : 0;
}
