/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doomed.c MODE [ROUNDS]: pairs of ranks that exchange messages, and how that ends.
 *
 * A round is Isend, Recv and Wait with rank ^ 1 (alone if there is none): op 2i+1 is the send, op
 * 2i+2 the receive. In the directory $DOOMED, if it is set, each rank leaves `pid-R` and a mapped
 * `log-R`, two 64-bit numbers that outlive it: receives and sends whose completing call has
 * returned.
 *
 *	end	MPI_Finalize, prints `rank R done ROUNDS`, exit code 0
 *	code	the same with exit code 9
 *	run	until it is killed, 60 s at most
 *	slow	the same; before each round one of two partners sleeps for 50 ms, in turns
 *	exit	rank 0 calls exit(5) after ROUNDS, the others wait for it
 *	exit-all	all call exit(5) after ROUNDS
 *	_exit	rank 0 calls _exit(5), the others wait for it
 *	late	all sleep for 500 ms after ROUNDS and call exit(5)
 *	_late	the same with _exit(5)
 *	abort	rank 0 calls MPI_Abort(7), the others wait for it
 *	segv	rank 0 is ended by SIGSEGV
 *	term	all ranks end themselves by SIGTERM
 *	hang	after ROUNDS all wait for a message that nobody sends (tag 4242)
 *	probe	the same in MPI_Probe (even ranks) and MPI_Mprobe, for any tag
 *	poll	the same, even ranks by MPI_Iprobe, again and again
 *	apart	after a barrier in a communicator `work` even ranks wait in another, odd ones as
 *		above
 *	other	even ranks as with hang, odd ones send tag 2424 and then wait in MPI_Wait
 *	longer	even ranks send 400 B, for which odd ones have room for 4; then as with hang
 *	nobody	even ranks send to rank 4242; odd ones as with hang
 *	steal	closes every descriptor of a spool and opens a file of its own, `mine-R`, before
 *		ROUNDS
 *	chdir	goes to / after MPI_Init
 *	nofile	closes descriptors 0 to 2 first
 *	fork	after MPI_Init has a child that writes and exits with 0, by fork, then goes on
 *	gone	after ROUNDS rank 0 removes $TRYST_DIR, and all go on for as many
 *	moved	the same, but it becomes moved-away
 *	replaced  the same, and $REPLACEMENT takes its place
 *	eat	after ROUNDS rank 0 takes memory until it is killed, the others wait for it
 *	files	after ROUNDS it sets RLIMIT_NOFILE to 3, and goes on for ten times as many
 *	memory	the same, RLIMIT_AS to what it has
 *	fsize	the same, RLIMIT_FSIZE to 0; it ignores no signal
 *	thread	a second thread sleeps in MPI-free code while MPI_Finalize runs
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECEIVES, SENDS };
static volatile uint64_t *done;
static uint64_t not_logged[2];
static int rank, partner, mine = -1;

static void open_log(void)
{
	const char *dir = getenv("DOOMED");
	char path[4096];
	void *p;
	FILE *f;
	int fd;

	done = not_logged;
	if (!dir)
		return;
	snprintf(path, sizeof(path), "%s/log-%d", dir, rank);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || ftruncate(fd, 16) != 0)
		exit(90);
	p = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		exit(90);
	done = p;
	snprintf(path, sizeof(path), "%s/pid-%d", dir, rank);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%d\n", (int)getpid()) < 0 || fclose(f) != 0)
		exit(90);
}

static bool slow;

static void rounds(long n)
{
	static char out[65536], in[65536];
	static const int sizes[] = { 8, 8, 600, 8, 20000, 65536 };
	MPI_Request request;

	for (long i = 0; i < n; i++) {
		int bytes = sizes[i % 6];

		if (slow && (i + rank) % 2)
			nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
		MPI_Isend(out, bytes, MPI_BYTE, partner, (int)(i % 1000), MPI_COMM_WORLD, &request);
		MPI_Recv(in, bytes, MPI_BYTE, partner, (int)(i % 1000), MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		done[RECEIVES]++;
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		done[SENDS]++;
	}
}

static void wait_for_ever(void)
{
	int x;

	MPI_Recv(&x, 1, MPI_INT, partner, 4242, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_other(void)
{
	MPI_Request request;
	int x = 0;

	MPI_Send(&x, 1, MPI_INT, partner, 2424, MPI_COMM_WORLD);
	MPI_Irecv(&x, 1, MPI_INT, partner, 4242, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void probe_for_ever(void)
{
	MPI_Message message;

	if (partner % 2)
		MPI_Probe(partner, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Mprobe(MPI_ANY_SOURCE, 4242, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
}

/* More than there is room for, which the library does not survive. */
static void send_more(void)
{
	char many[400] = { 0 };

	if (partner % 2)
		MPI_Send(many, sizeof(many), MPI_CHAR, partner, 4242, MPI_COMM_WORLD);
	wait_for_ever();
}

static void poll_for_ever(void)
{
	int found = 0;

	while (!found)
		MPI_Iprobe(partner, 4242, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void meet_nobody(void)
{
	MPI_Comm work;

	MPI_Comm_dup(MPI_COMM_WORLD, &work);
	MPI_Comm_set_name(work, "work");
	MPI_Barrier(work);
	if (partner % 2)
		MPI_Barrier(work);
	else
		wait_for_ever();
}

/* Closes descriptors that lead to spools behind the library's back and takes the number. */
static void steal(void)
{
	char link[64], target[4096];

	for (int fd = 3; fd < 4096; fd++) {
		ssize_t n;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, target, sizeof(target) - 1);
		if (n < 6)
			continue;
		target[n] = '\0';
		if (strcmp(target + n - 6, ".spool") != 0)
			continue;
		snprintf(target, sizeof(target), "mine-%d", rank);
		mine = open(target, O_RDWR | O_CREAT | O_TRUNC, 0666);
		if (mine < 0 || dup2(mine, fd) != fd || write(fd, "mine\n", 5) != 5)
			exit(91);
	}
}

static void have_a_child(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (write(1, "child\n", 6) != 6)
			_exit(1);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		exit(92);
}

static void eat(void)
{
	enum { PIECE = 1 << 20 };

	for (;;) {
		char *p = malloc(PIECE);

		if (!p)
			exit(97);
		memset(p, 1, PIECE);
	}
}

/* command option from to */
static void change_directory(
	const char *command, const char *option, const char *from, const char *to)
{
	pid_t pid;
	int status;

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		pid = fork();
		if (pid == 0) {
			execlp(command, command, option, from, to, (char *)NULL);
			_exit(1);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			exit(95);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

static void set_limit(const char *mode)
{
	const struct rlimit files = { 3, 3 }, fsize = { 0, 0 };
	struct rlimit memory;
	unsigned long pages;
	FILE *f;

	if (strcmp(mode, "files") == 0 && setrlimit(RLIMIT_NOFILE, &files) != 0)
		exit(96);
	if (strcmp(mode, "fsize") == 0 && setrlimit(RLIMIT_FSIZE, &fsize) != 0)
		exit(96);
	if (strcmp(mode, "memory") != 0)
		return;
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%lu", &pages) != 1 || fclose(f) != 0)
		exit(96);
	memory.rlim_cur = memory.rlim_max = pages * (unsigned long)sysconf(_SC_PAGESIZE);
	if (setrlimit(RLIMIT_AS, &memory) != 0)
		exit(96);
}

static void *sleeper(void *arg)
{
	(void)arg;
	for (;;)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "end";
	long n = argc > 2 ? atol(argv[2]) : 1000;
	const bool endless = strcmp(mode, "run") == 0 || strcmp(mode, "slow") == 0;
	int nranks;

	slow = strcmp(mode, "slow") == 0;
	if (strcmp(mode, "nofile") == 0)
		for (int fd = 0; fd < 3; fd++)
			close(fd);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nranks);
	partner = (rank ^ 1) < nranks ? rank ^ 1 : rank;
	open_log();
	alarm(endless ? 60 : 0);
	if (strcmp(mode, "chdir") == 0 && chdir("/") != 0)
		return 93;
	if (strcmp(mode, "steal") == 0)
		steal();
	if (strcmp(mode, "fork") == 0)
		have_a_child();
	if (strcmp(mode, "thread") == 0)
		pthread_create(&(pthread_t){ 0 }, NULL, sleeper, NULL);
	rounds(endless ? 1L << 60 : n);
	if (strcmp(mode, "gone") == 0) {
		change_directory("rm", "-rf", getenv("TRYST_DIR"), NULL);
		rounds(n);
	}
	if (strcmp(mode, "moved") == 0 || strcmp(mode, "replaced") == 0) {
		change_directory("mv", "-f", getenv("TRYST_DIR"), "moved-away");
		if (strcmp(mode, "replaced") == 0)
			change_directory("mv", "-f", getenv("REPLACEMENT"), getenv("TRYST_DIR"));
		rounds(n);
	}
	if (strcmp(mode, "eat") == 0 && rank == 0)
		eat();
	if (strcmp(mode, "files") == 0 || strcmp(mode, "memory") == 0 ||
		strcmp(mode, "fsize") == 0) {
		set_limit(mode);
		rounds(10 * n);
	}
	if (strcmp(mode, "exit-all") == 0 || (strcmp(mode, "exit") == 0 && rank == 0))
		exit(5);
	if (strcmp(mode, "_exit") == 0 && rank == 0)
		_exit(5);
	if (strcmp(mode, "late") == 0 || strcmp(mode, "_late") == 0)
		nanosleep(&(struct timespec){ 0, 500000000 }, NULL);
	if (strcmp(mode, "late") == 0)
		exit(5);
	if (strcmp(mode, "_late") == 0)
		_exit(5);
	/* The others have received all by then, and wait. */
	if ((strcmp(mode, "abort") == 0 || strcmp(mode, "segv") == 0) && rank == 0)
		nanosleep(&(struct timespec){ 0, 200000000 }, NULL);
	if (strcmp(mode, "abort") == 0 && rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (strcmp(mode, "segv") == 0 && rank == 0)
		raise(SIGSEGV);
	if (strcmp(mode, "term") == 0)
		raise(SIGTERM);
	if (strcmp(mode, "hang") == 0 || strcmp(mode, "exit") == 0 || strcmp(mode, "_exit") == 0 ||
		strcmp(mode, "abort") == 0 || strcmp(mode, "segv") == 0 || strcmp(mode, "eat") == 0)
		wait_for_ever();
	if (strcmp(mode, "longer") == 0)
		send_more();
	if (strcmp(mode, "nobody") == 0 && partner % 2)
		MPI_Send(&rank, 1, MPI_INT, 4242, 1, MPI_COMM_WORLD);
	if (strcmp(mode, "nobody") == 0)
		wait_for_ever();
	if (strcmp(mode, "probe") == 0)
		probe_for_ever();
	if (strcmp(mode, "poll") == 0 && partner % 2)
		poll_for_ever();
	else if (strcmp(mode, "poll") == 0)
		wait_for_ever();
	if (strcmp(mode, "other") == 0 && partner % 2)
		wait_for_ever();
	else if (strcmp(mode, "other") == 0)
		send_other();
	if (strcmp(mode, "apart") == 0)
		meet_nobody();
	printf("rank %d done %ld\n", rank, n);
	fflush(stdout);
	MPI_Finalize();
	if (mine >= 0 && (lseek(mine, 0, SEEK_END) != 5 || write(mine, "still\n", 6) != 6))
		return 94;
	return strcmp(mode, "code") == 0 ? 9 : 0;
}
