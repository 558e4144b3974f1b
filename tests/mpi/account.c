/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * account.c JOURNAL [THREADS [ROUNDS]]: many kinds of calls with computation between them, in
 * several threads where MPI allows it, and each thread's own account of where its time went.
 *
 * Two ranks; thread t talks to thread t of the other rank with tag t, the main thread is 0 and also
 * makes the collective calls. JOURNAL.<rank> gets a line a thread: its tag, its time [ns] outside
 * of MPI, its time in calls, its calls. Each lasts from one reading of the clock to the next, so
 * that both together are the thread's time, which for the main thread is that from MPI_Init to
 * MPI_Finalize.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 16, COMPUTE_NS = 20000000, BIG = 100000 };

struct account {
	int tag;
	int64_t mark;
	int64_t outside, inside, calls;
	char out[BIG], in[BIG];
};

static int me, other, rounds = 40;
static struct account account[THREADS_MAX];

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void before(struct account *a)
{
	int64_t ns = now_ns();

	a->outside += ns - a->mark;
	a->mark = ns;
}

static void after(struct account *a)
{
	int64_t ns = now_ns();

	a->inside += ns - a->mark;
	a->calls++;
	a->mark = ns;
}

#define CALL(a, call) (before(a), (call), after(a))

static void compute(const struct account *a, int64_t ns)
{
	while (now_ns() < a->mark + ns)
		;
}

static void round_of(struct account *a, int i)
{
	int bytes = i % 10 == 0 ? BIG : i % 100;
	MPI_Request request[2];
	MPI_Status status;
	int flag = 0, number;

	CALL(a, MPI_Irecv(a->in, BIG, MPI_CHAR, other, a->tag, MPI_COMM_WORLD, &request[0]));
	compute(a, COMPUTE_NS);
	CALL(a, MPI_Isend(a->out, bytes, MPI_CHAR, other, a->tag, MPI_COMM_WORLD, &request[1]));
	CALL(a, MPI_Test(&request[0], &flag, &status));
	CALL(a, MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
	compute(a, COMPUTE_NS * (1 + (i + me) % 3));
	if (me == 0) {
		CALL(a, MPI_Send(a->out, bytes, MPI_CHAR, other, a->tag, MPI_COMM_WORLD));
	} else {
		CALL(a, MPI_Probe(other, a->tag, MPI_COMM_WORLD, &status));
		CALL(a, MPI_Get_count(&status, MPI_CHAR, &number));
		CALL(a, MPI_Recv(a->in, number, MPI_CHAR, other, a->tag, MPI_COMM_WORLD, &status));
	}
	if (a->tag == 0 && i % 10 == 0) {
		CALL(a, MPI_Allreduce(&i, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
		CALL(a, MPI_Barrier(MPI_COMM_WORLD));
	}
}

static void *work(void *arg)
{
	struct account *a = arg;

	if (a->tag)
		a->mark = now_ns();
	for (int i = 0; i < rounds; i++)
		round_of(a, i);
	before(a);
	return NULL;
}

static int write_journal(const char *journal, int nthreads)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof path, "%s.%d", journal, me);
	out = fopen(path, "w");
	if (!out)
		return 2;
	for (int t = 0; t < nthreads; t++)
		fprintf(out, "%d %lld %lld %lld\n", t, (long long)account[t].outside,
			(long long)account[t].inside, (long long)account[t].calls);
	return fclose(out) ? 2 : 0;
}

int main(int argc, char **argv)
{
	int nthreads = argc > 2 ? atoi(argv[2]) : 1, level;
	pthread_t thread[THREADS_MAX];

	if (argc > 3)
		rounds = atoi(argv[3]);
	if (argc < 2 || nthreads < 1 || nthreads > THREADS_MAX)
		return 2;
	MPI_Init_thread(
		&argc, &argv, nthreads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
	account[0].mark = now_ns();
	CALL(&account[0], MPI_Comm_rank(MPI_COMM_WORLD, &me));
	other = 1 - me;
	if (nthreads > 1 && level < MPI_THREAD_MULTIPLE)
		return 3;
	for (int t = 0; t < nthreads; t++)
		account[t].tag = t;
	for (int t = 1; t < nthreads; t++)
		if (pthread_create(&thread[t], NULL, work, &account[t]))
			return 2;
	work(&account[0]);
	for (int t = 1; t < nthreads; t++)
		pthread_join(thread[t], NULL);
	/* the other one waits in MPI_Finalize, which is no longer its own time */
	if (me == 1)
		usleep(50000);
	before(&account[0]);
	MPI_Finalize();
	return write_journal(argv[1], nthreads);
}
