/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.c [THREADS [ROUNDS]]: MPI_THREAD_MULTIPLE. Thread t of rank r talks to thread t of its
 * neighbours with tag t: an Isend and a Recv a round, each on its own, then all wait for requests
 * that another thread posted; in the end one thread completes what was complete when posted. Prints
 * `threads N rounds N` by rank 0, or `level` where MPI gives less.
 */
#include <pthread.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 16 };
static int nranks, me, nthreads = 4, rounds = 500, wrong;
static MPI_Request handed[THREADS_MAX];
static int handed_in[THREADS_MAX];
static pthread_barrier_t together;

static void *work(void *arg)
{
	int t = (int)(long)arg, right = (me + 1) % nranks, left = (me + nranks - 1) % nranks;
	int next = (t + 1) % nthreads, in, out;
	MPI_Request request;
	MPI_Status status;

	for (int i = 0; i < rounds; i++) {
		out = i * nthreads + t;
		MPI_Isend(&out, 1, MPI_INT, right, t, MPI_COMM_WORLD, &request);
		MPI_Recv(&in, 1, MPI_INT, left, t, MPI_COMM_WORLD, &status);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		if (in != out || status.MPI_TAG != t)
			__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	}
	/* One thread posts, another waits. */
	MPI_Irecv(&handed_in[t], 1, MPI_INT, left, 100 + t, MPI_COMM_WORLD, &handed[t]);
	pthread_barrier_wait(&together);
	MPI_Send(&t, 1, MPI_INT, right, 100 + t, MPI_COMM_WORLD);
	MPI_Wait(&handed[next], &status);
	if (handed_in[next] != next)
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
	return NULL;
}

/*
 * The library may give one handle to all that is complete when posted: each is completed by its own
 * call.
 */
static void complete_when_posted(void)
{
	MPI_Request request[6];
	int *memory, out = me, flag;
	MPI_Win window;

	MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
	MPI_Win_lock_all(0, window);
	for (int i = 0; i < 3; i++)
		MPI_Ibarrier(MPI_COMM_SELF, &request[i]);
	for (int i = 3; i < 6; i++)
		MPI_Rput(&out, 1, MPI_INT, 0, 0, sizeof(int), MPI_BYTE, window, &request[i]);
	for (int i = 0; i < 6; i++) {
		do
			MPI_Test(&request[i], &flag, MPI_STATUS_IGNORE);
		while (!flag);
	}
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	int level;

	if (argc > 1)
		nthreads = atoi(argv[1]);
	if (argc > 2)
		rounds = atoi(argv[2]);
	if (nthreads < 1 || nthreads > THREADS_MAX)
		return 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	if (level < MPI_THREAD_MULTIPLE) {
		if (me == 0)
			printf("level %d\n", level);
		MPI_Finalize();
		return 77;
	}
	pthread_barrier_init(&together, NULL, (unsigned)nthreads);
	for (long t = 0; t < nthreads; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)t))
			return 2;
	for (int t = 0; t < nthreads; t++)
		pthread_join(threads[t], NULL);
	complete_when_posted();
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		printf("threads %d rounds %d\n", nthreads, rounds);
	MPI_Finalize();
	return wrong ? 3 : 0;
}
