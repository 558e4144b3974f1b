/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gauss.c: Gaussian elimination without pivoting, rows dealt out cyclically.
 *
 *	gauss N [BYTES]
 *
 * Row k goes around the ring of ranks from its owner on. Each rank hands it on, and then eliminates
 * with it. BYTES: messages are cut into pieces of at most so many bytes, which are sent one after
 * the other; 0, the default: they are not. Rank 0 prints the seconds from MPI_Init to
 * MPI_Finalize, and a checksum that depends on N alone.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n, me, ranks;
static size_t piece; /* bytes */

/* The matrix is dominated by its diagonal, so no pivot is small. */
static double element(int row, int column)
{
	return row == column ? 2.0 * n : 1.0 / (1 + (row * 31 + column * 17) % 97);
}

static double *own_row(double *rows, int k)
{
	return rows + (size_t)(k / ranks) * (size_t)n;
}

static size_t next_piece(size_t left)
{
	return piece && left > piece ? piece : left;
}

static void send_row(double *row, int to)
{
	char *at = (char *)row;
	size_t bytes;

	for (size_t left = sizeof(*row) * (size_t)n; left; left -= bytes, at += bytes) {
		bytes = next_piece(left);
		MPI_Send(at, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
	}
}

static void receive_row(double *row, int from)
{
	char *at = (char *)row;
	size_t bytes;

	for (size_t left = sizeof(*row) * (size_t)n; left; left -= bytes, at += bytes) {
		bytes = next_piece(left);
		MPI_Recv(at, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* Takes row k, `with`, off all rows of this rank below it. */
static void eliminate(double *rows, const double *with, int k)
{
	for (int i = me; i < n; i += ranks) {
		double *row = own_row(rows, i);
		double factor;

		if (i <= k)
			continue;
		factor = row[k] / with[k];
		for (int j = k; j < n; j++)
			row[j] -= factor * with[j];
	}
}

int main(int argc, char **argv)
{
	double *rows, *other, begin, sum = 0, all = 0;
	int next, last;

	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD); /* opens the connections, as a recorded run does in MPI_Init */
	begin = MPI_Wtime();
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	n = argc > 1 ? atoi(argv[1]) : 256;
	piece = argc > 2 ? (size_t)atol(argv[2]) : 0;
	next = (me + 1) % ranks;
	last = (me + ranks - 1) % ranks;
	rows = malloc(sizeof(*rows) * (size_t)n * (size_t)(n / ranks + 1));
	other = malloc(sizeof(*other) * (size_t)n);
	if (n < 1 || !rows || !other)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = me; i < n; i += ranks)
		for (int j = 0; j < n; j++)
			own_row(rows, i)[j] = element(i, j);
	for (int k = 0; k < n; k++) {
		const int owner = k % ranks;
		double *row = owner == me ? own_row(rows, k) : other;

		if (owner != me)
			receive_row(row, last);
		if (next != owner)
			send_row(row, next);
		eliminate(rows, row, k);
	}
	for (int i = me; i < n; i += ranks)
		sum += own_row(rows, i)[i];
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0)
		printf("%.6f s, checksum %.6f\n", MPI_Wtime() - begin, all);
	free(rows);
	free(other);
	MPI_Finalize();
	return 0;
}
