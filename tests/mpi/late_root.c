/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * late_root.c ROUNDS: ranks keep others waiting which in turn keep others waiting; on 3 ranks.
 *
 *	pipeline	large messages go from rank to rank; the last one works 5 ms between
 *			receive_left() and send_right(), where the others work 1 ms
 *	halo		small messages go around both ways; rank 1 works 5 ms between finish_halo()
 *			and begin_halo(), where the others work 1 ms
 *
 * Each rank says how much longer all its work has taken than that: `added MICROSECONDS`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 100000, SMALL = 800 };

static char buffer[4][LARGE];
static int rank, ranks;
static MPI_Request request[4];
/* counted behind the last call of a function, which is no jump to it then */
static volatile int calls;

static long added_ns;

static void work(int ms)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	added_ns += (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec -
		ms * 1000000L;
}

__attribute__((noinline)) static void receive_left(void)
{
	if (rank > 0)
		MPI_Recv(
			buffer[0], LARGE, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	calls++;
}

__attribute__((noinline)) static void send_right(void)
{
	/*
	 * so that the last one's work is between two calls as well; one call, as compilers merge
	 * two and forget the line
	 */
	const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

	MPI_Send(buffer[0], right == MPI_PROC_NULL ? 0 : LARGE, MPI_BYTE, right, 1, MPI_COMM_WORLD);
	calls++;
}

__attribute__((noinline)) static void begin_halo(void)
{
	const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;

	MPI_Irecv(buffer[0], SMALL, MPI_BYTE, left, 2, MPI_COMM_WORLD, &request[0]);
	MPI_Irecv(buffer[1], SMALL, MPI_BYTE, right, 3, MPI_COMM_WORLD, &request[1]);
	MPI_Isend(buffer[2], SMALL, MPI_BYTE, right, 2, MPI_COMM_WORLD, &request[2]);
	MPI_Isend(buffer[3], SMALL, MPI_BYTE, left, 3, MPI_COMM_WORLD, &request[3]);
	calls++;
}

__attribute__((noinline)) static void finish_halo(void)
{
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	calls++;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 50;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < rounds; i++) {
		receive_left();
		work(rank + 1 == ranks ? 5 : 1);
		send_right();
	}
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < rounds; i++) {
		begin_halo();
		finish_halo();
		work(rank == 1 ? 5 : 1);
	}
	MPI_Finalize();
	printf("added %ld\n", added_ns / 1000);
	return 0;
}
