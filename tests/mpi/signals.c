/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c MODE: a timer interrupts messages to nobody, at any instruction.
 *
 *	call	the handler sends, too (MPI_PROC_NULL: bare libraries look at nothing but the rank)
 *	jump	the handler jumps back to the loop
 *	exit	the handler ends the process, whose exit handler calls MPI_Finalize
 *
 * Prints `MODE: sent N to M, in handlers K`; jump: some of M - N were interrupted before they were sent.
 */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MAIN_TAG = 1, HANDLER_TAG = 2, SIGNALS = 300 };

static const struct itimerval every = {{0, 50}, {0, 50}}, never;
static const char *mode;
static volatile long begun, sent, nested, signals;
static sigjmp_buf again;
static pthread_t first;

static void finalize(void)
{
	MPI_Finalize();
}

static void on_alarm(int signal)
{
	int rank = 0;

	(void)signal;
	/* the library's own threads may get it */
	if (!pthread_equal(pthread_self(), first))
		return;
	signals++;
	if (strcmp(mode, "jump") == 0)
		siglongjmp(again, 1);
	if (strcmp(mode, "exit") == 0 && signals == SIGNALS) {
		setitimer(ITIMER_REAL, &never, NULL);
		exit(5);
	}
	MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, HANDLER_TAG, MPI_COMM_WORLD);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	nested++;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

	mode = argc > 1 ? argv[1] : "call";
	first = pthread_self();
	MPI_Init(&argc, &argv);
	if (strcmp(mode, "exit") == 0)
		atexit(finalize);
	sigaction(SIGALRM, &action, NULL);
	sigsetjmp(again, 1);
	setitimer(ITIMER_REAL, &every, NULL);
	while (signals < SIGNALS || strcmp(mode, "exit") == 0) {
		begun++;
		MPI_Send(&argc, (int)(begun % 50), MPI_INT, MPI_PROC_NULL, MAIN_TAG, MPI_COMM_WORLD);
		sent++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s: sent %ld to %ld, in handlers %ld\n", mode, sent, begun, nested);
	MPI_Finalize();
	return 0;
}
