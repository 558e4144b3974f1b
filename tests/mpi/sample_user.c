/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_user.c: a program that takes samples itself, beside others of the same user.
 *
 *	sample_user FILE         an MPI program, whose ranks compute in threads
 *	sample_user hold FILE    no MPI program
 *
 * Rank 0 has a mapped event of its own, and its child watches it as `perf record -p` does. At the
 * end rank 0 maps as many events as it may, and writes the number of their pages to FILE. With
 * `hold`, the program only maps these events and writes FILE. It then waits for the end of stdin.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#include "sample_threads.h"

enum { EVENTS_MOST = 4096, PAGES = 2 /* of the smallest mapping */ };

/* A mapped event of that thread, 0: the calling one. MAP_FAILED: there is none. */
static struct perf_event_mmap_page *map_event(pid_t tid, bool disabled)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP,
		.exclude_kernel = 1,
		.disabled = disabled };
	const size_t bytes = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	int fd = (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	void *page;

	if (fd < 0)
		return MAP_FAILED;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return page;
}

static void write_pages(const char *path)
{
	FILE *file = fopen(path, "w");
	int n = 0;

	while (n < EVENTS_MOST && map_event(0, true) != MAP_FAILED)
		n++;
	if (file) {
		fprintf(file, "%d\n", n * PAGES);
		fclose(file);
	}
}

static bool has_samples(const struct perf_event_mmap_page *page)
{
	return page != MAP_FAILED && __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) > 0;
}

/* Computes until a child has seen samples of this thread, at most 5 s. */
static void be_watched(void)
{
	const pid_t self = (pid_t)syscall(SYS_gettid);
	const double end = clock_s(CLOCK_MONOTONIC) + 5;
	pid_t child = fork();
	int status = 1;

	if (child == 0) {
		const struct perf_event_mmap_page *page = map_event(self, false);

		while (!has_samples(page) && clock_s(CLOCK_MONOTONIC) < end)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		_exit(!has_samples(page));
	}
	while (waitpid(child, &status, WNOHANG) == 0)
		compute(0.002);
	puts(status == 0 ? "it was watched" : "it was not watched");
}

int main(int argc, char **argv)
{
	const struct perf_event_mmap_page *own;
	int rank, level;
	char end;

	if (argc > 2 && strcmp(argv[1], "hold") == 0) {
		write_pages(argv[2]);
		return read(STDIN_FILENO, &end, 1) != 0;
	}
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	own = rank == 0 ? map_event(0, false) : MAP_FAILED;
	start_threads();
	compute(0.02);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		puts(has_samples(own) ? "its event has samples" : "its event has no samples");
		be_watched();
		write_pages(argv[1]);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	stop_threads();
	MPI_Finalize();
	return 0;
}
