/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ends.c [THREADS [MESSAGES]]: threads send to nobody, say that they are done with MPI, and end
 * while MPI_Finalize is under way on the first. 77: the library gives no MPI_THREAD_MULTIPLE.
 */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static int done, messages;

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < messages; i++)
		MPI_Send(&messages, i % 7, MPI_INT, MPI_PROC_NULL, i % 3, MPI_COMM_WORLD);
	__atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 8, level;
	pthread_t thread;

	messages = argc > 2 ? atoi(argv[2]) : 1000;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	for (int i = 0; i < threads && level == MPI_THREAD_MULTIPLE; i++) {
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			return 2;
		pthread_detach(thread);
	}
	while (level == MPI_THREAD_MULTIPLE && __atomic_load_n(&done, __ATOMIC_ACQUIRE) < threads)
		sched_yield();
	MPI_Finalize();
	return level == MPI_THREAD_MULTIPLE ? 0 : 77;
}
