/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planted.c PROBLEM [followed]: programs with one planted problem each, and the same with the
 * remedy that helps.
 *
 *	small      rank 0 sends 20,000 messages of 8 B to rank 1, which answers every hundredth.
 *	           followed: 400 of 400 B
 *	on_path    rank 0 sends 16 KiB, then works; rank 1 is inside MPI for 5 ms, receives, and
 *	           waits for rank 0's work. A larger eager limit lets rank 0 work at once
 *	off_path   rank 0 sends 16 KiB and then waits for rank 1's work anyhow: nothing helps there
 *	imbalance  rank 1 computes 15 ms, rank 0 5 ms, then they exchange. followed: 10 ms each
 *	uneven     the same before a collective. followed: 10 ms each
 *	idle       rank 0 has no work. It receives from rank 2, which is late, while a message of
 *	           rank 1 lies there
 *	order      rank 0 receives a message that is sent after 6 ms, and works 2 ms on it. Another
 *	           message is there from the start, comes next, and gets 5 ms. followed: it comes
 *	           first
 *	overlap    rank 0 sends 8 MiB to rank 1; both compute before they wait for it
 *	master     rank 0 hands out pieces of work of 2 ms to the others, and takes 1 ms for each
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGE = 8 << 20, EAGER = 16384, ROUNDS = 40, MESSAGES = 20000, ANSWERS = 200 };

static char buffer[LARGE], other[LARGE];
static int rank, size, followed;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Sleeps stand for work: they need no CPU, and a busy machine does not stretch them. */
static void work(double ms)
{
	nanosleep(&(struct timespec){ 0, (long)(ms * 1e6) }, NULL);
}

static void send_to(int to, int bytes)
{
	MPI_Send(buffer, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void recv_from(int from, int bytes)
{
	MPI_Recv(other, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void small(void)
{
	int bytes = followed ? 400 : 8, n = MESSAGES * 8 / bytes, burst = n / ANSWERS;

	for (int i = 1; i <= n; i++) {
		if (rank == 0)
			send_to(1, bytes);
		else
			recv_from(0, bytes);
		if (i % burst == 0 && rank == 0)
			recv_from(1, 8);
		else if (i % burst == 0)
			send_to(0, 8);
	}
}

/* Inside MPI, looking for a message that never comes. */
static void poll_for(double ms)
{
	double until = now_ms() + ms;
	int found;

	while (now_ms() < until)
		MPI_Iprobe(0, 9, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void on_path(void)
{
	if (rank == 0) {
		send_to(1, EAGER);
		work(5);
		send_to(1, 8);
	} else {
		poll_for(5);
		recv_from(0, EAGER);
		recv_from(0, 8);
	}
}

static void off_path(void)
{
	if (rank == 0) {
		send_to(1, EAGER);
		recv_from(1, 8);
	} else {
		poll_for(5);
		recv_from(0, EAGER);
		send_to(0, 8);
	}
}

static void imbalance(void)
{
	work(followed ? 10 : rank == 0 ? 5 : 15);
	if (rank == 0) {
		send_to(1, 8);
		recv_from(1, 8);
	} else {
		recv_from(0, 8);
		send_to(0, 8);
	}
}

static void uneven(void)
{
	work(followed ? 10 : rank == 0 ? 5 : 15);
	MPI_Allreduce(buffer, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void idle(void)
{
	if (rank == 0) {
		recv_from(2, 8);
		recv_from(1, 8);
	} else {
		work(rank == 2 ? 5 : 1);
		send_to(0, 8);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Receives the message with the tag, and works on it. */
static void take(int tag, double ms)
{
	MPI_Recv(other, 8, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	work(ms);
}

static void order(void)
{
	if (rank == 0) {
		if (followed)
			take(2, 5);
		take(1, 2);
		if (!followed)
			take(2, 5);
		send_to(1, 8);
	} else {
		MPI_Send(buffer, 8, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
		work(6);
		MPI_Send(buffer, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
		recv_from(0, 8);
	}
}

static void overlap(void)
{
	MPI_Request request;

	if (rank == 0)
		MPI_Isend(buffer, LARGE, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
	else
		MPI_Irecv(other, LARGE, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 5; i++) {
		int done;

		work(1);
		if (followed)
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void master(void)
{
	if (rank == 0) {
		MPI_Status status;

		for (int i = 0; i < 2 * (size - 1); i++) {
			MPI_Recv(other, 8, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
			work(1);
			send_to(status.MPI_SOURCE, 8);
		}
	} else {
		for (int i = 0; i < 2; i++) {
			send_to(0, 8);
			recv_from(0, 8);
			work(2);
		}
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*round)(void);
		int rounds;
	} problems[] = { { "small", small, 1 }, { "on_path", on_path, ROUNDS },
		{ "off_path", off_path, ROUNDS }, { "imbalance", imbalance, ROUNDS },
		{ "uneven", uneven, ROUNDS }, { "idle", idle, ROUNDS }, { "order", order, ROUNDS },
		{ "overlap", overlap, ROUNDS }, { "master", master, ROUNDS } };

	double start;

	followed = argc > 2;
	memset(buffer, 1, LARGE);
	memset(other, 1, LARGE);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	start = now_ms();
	for (size_t p = 0; p < sizeof(problems) / sizeof(problems[0]); p++)
		for (int i = 0; argc > 1 && strcmp(argv[1], problems[p].name) == 0 &&
			i < problems[p].rounds;
			i++)
			problems[p].round();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0 && argc > 1)
		fprintf(stderr, "%s: %.1f ms\n", argv[1], now_ms() - start);
	MPI_Finalize();
	return 0;
}
