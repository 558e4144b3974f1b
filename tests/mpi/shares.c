/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shares.c: heavy() has three times the work of light(), for more than 2000 samples at 8000 a
 * second of CPU time. With OpenMP a second thread, which never calls MPI, has the same work.
 *
 * Prints "main HEAVY LIGHT", and "other HEAVY LIGHT" with OpenMP: the CPU seconds in both. As a
 * library (-DLIBRARY) it has the two functions for shares.py.
 *
 * -D'STEP(x)=...' is another step of the work, for example a call of libm, or of step() in the
 * library that -DSTEP_LIBRARY makes of this file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef STEP_LIBRARY
enum { PARTS = 4 };

double step(double x);

/* With a frame of some size, and a function of its own inside. */
static __attribute__((noinline)) double add_all(const double *part, double x)
{
	for (int i = 0; i < PARTS; i++)
		x = x * 1.0000001 + part[i];
	return x;
}

double step(double x)
{
	double part[PARTS];

	for (int i = 0; i < PARTS; i++)
		part[i] = 1e-9 * i;
	x = add_all(part, x);
	return x + part[1];
}
#else
#include <math.h>
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <time.h>

#ifndef STEP
#define STEP(x) ((x)*1.0000001 + 1e-9)
#endif

enum { UNIT = 12500 };

double step(double x);

static volatile double sink;

#ifdef LIBRARY
#define OTHER
#else
#define OTHER static inline
#endif

void heavy(long n);
OTHER void light(long n);

/* Each has a loop of its own: samples fall on the innermost function. */
__attribute__((noinline)) void heavy(long n)
{
	double x = 1;

	for (long i = 0; i < 3 * n; i++)
		x = STEP(x);
	sink = x;
}

OTHER void light(long n)
{
	double x = 1;

	for (long i = 0; i < n; i++)
		x = STEP(x);
	sink = x;
}

#ifndef LIBRARY
static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(long n, double spent_s[2])
{
	double begin = cpu_s(), middle;

	heavy(n);
	middle = cpu_s();
	light(n);
	spent_s[1] += cpu_s() - middle;
	spent_s[0] += middle - begin;
}

int main(int argc, char **argv)
{
#ifdef _OPENMP
	const double least_s = 0.9; /* the kernel's list of threads is read twice a second */
	double other_s[2] = { 0 };
#else
	const double least_s = 0.4;
#endif
	double main_s[2] = { 0 };
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	/* of different lengths: no round is in step with the samples */
	for (int i = 0; main_s[0] + main_s[1] < least_s; i++) {
		const long n = (20 + i * 7 % 13) * (long)UNIT;

		MPI_Barrier(MPI_COMM_WORLD);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
		work(n, omp_get_thread_num() ? other_s : main_s);
#else
		work(n, main_s);
#endif
	}
	printf("main %.6f %.6f\n", main_s[0], main_s[1]);
#ifdef _OPENMP
	printf("other %.6f %.6f\n", other_s[0], other_s[1]);
#endif
	MPI_Finalize();
	return 0;
}
#endif
#endif
