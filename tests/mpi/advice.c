/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advice.c ROUNDS BYTES: four ways to keep a sender waiting, on ranks 0 and 1, for 20, 10, 10 and
 * 10 ms.
 *
 *	late receive	rank 0 sends BYTES to rank 1, which is inside MPI, looking for a message
 *			that never comes, and posts the receive only then
 *	computing	rank 0 sends 512 KiB to rank 1, which computes and posts the receive only
 *			then
 *	asleep		rank 0 sends 768 KiB to rank 1, which sleeps and posts the receive only then
 *	no progress	rank 0 sends 1 MiB to rank 1, which has posted the receive and sleeps
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 1 << 20, EARLY = 1, NEVER, PENDING, COMPUTED, SLEPT };

static char buffer[LARGE];
static int rank, bytes;

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void receive_late(void)
{
	const long end = now_ns() + 20000000;
	int found;

	while (now_ns() < end)
		for (int i = 0; i < 8; i++)
			MPI_Iprobe(0, NEVER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
	MPI_Recv(buffer, bytes, MPI_BYTE, 0, EARLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute_first(void)
{
	const long end = now_ns() + 10000000;

	while (now_ns() < end)
		;
	MPI_Recv(buffer, LARGE / 2, MPI_BYTE, 0, COMPUTED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sleep_first(void)
{
	nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	MPI_Recv(buffer, LARGE / 4 * 3, MPI_BYTE, 0, SLEPT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute_while_pending(void)
{
	MPI_Request request;

	MPI_Irecv(buffer, LARGE, MPI_BYTE, 0, PENDING, MPI_COMM_WORLD, &request);
	MPI_Barrier(MPI_COMM_WORLD);
	nanosleep(&(struct timespec){ 0, 10000000 }, NULL);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;

	bytes = argc > 2 ? atoi(argv[2]) : 16384;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < rounds; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Send(buffer, bytes, MPI_BYTE, 1, EARLY, MPI_COMM_WORLD);
		else
			receive_late();
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Send(buffer, LARGE / 2, MPI_BYTE, 1, COMPUTED, MPI_COMM_WORLD);
		else
			compute_first();
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Send(buffer, LARGE / 4 * 3, MPI_BYTE, 1, SLEPT, MPI_COMM_WORLD);
		else
			sleep_first();
		if (rank == 1) {
			compute_while_pending();
		} else {
			MPI_Barrier(MPI_COMM_WORLD);
			if (rank == 0)
				MPI_Send(buffer, LARGE, MPI_BYTE, 1, PENDING, MPI_COMM_WORLD);
		}
	}
	MPI_Finalize();
	return 0;
}
