/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guest.c all|overflow [LOCALE]: a program that traps floating-point exceptions, all or overflows
 * alone, and sets its locale, sends enough messages for several chunks of records, and says which
 * exceptions are signalled at its end.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int trapped = argc > 1 && strcmp(argv[1], "overflow") == 0 ?
		FE_OVERFLOW :
		FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
	double x = 1, y;
	int rank, nranks;

	setlocale(LC_ALL, argc > 2 ? argv[2] : "C");
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(trapped);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	for (int i = 0; i < 8000; i++) {
		MPI_Send(&x, i % 3, MPI_DOUBLE, MPI_PROC_NULL, i % 50, MPI_COMM_WORLD);
		if (i % 100 == 0)
			MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % nranks, 1, &y, 1, MPI_DOUBLE,
				(rank + nranks - 1) % nranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	printf("rank %d: signalled %#x, trapped %#x\n", rank, fetestexcept(trapped | FE_UNDERFLOW),
		fegetexcept());
	return 0;
}
