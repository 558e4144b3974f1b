/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c MODE: a timer interrupts messages to nobody, at any instruction.
 *
 *	call	the handler sends, too (MPI_PROC_NULL: bare libraries look at nothing but the rank)
 *	stack	the same on a signal stack, which lies above that of the thread
 *	jump	the handler jumps back to the loop
 *	exit	the handler ends the process, whose exit handler calls MPI_Finalize
 *
 * Prints `MODE: sent N to M, in handlers K`; jump: some of M - N were interrupted before they were
 * sent.
 *
 *	deep	the handler jumps out of our own instructions alone, as below; then a function
 *		deeper in the stack sends DEEP messages synchronously
 *	threads	three threads post receives and cancel them; the handler jumps out of any of our own
 *		instructions, never out of the MPI library: where nothing is preloaded, never
 *
 * Prints `MODE: N jumps`.
 *
 *	fork	the handler forks out of our own instructions alone; the child returns from the
 *		handler and ends after the call that was interrupted
 *
 * Prints `fork: N children, M ended badly`.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAIN_TAG = 1, HANDLER_TAG = 2, SIGNALS = 300, THREADS = 3, BARE_ROUNDS = 20000 };
enum { DEEP = 20, DEEP_TIMES = 50, CHILDREN = 100 };

static const struct itimerval every = { { 0, 50 }, { 0, 50 } }, once = { { 0, 0 }, { 0, 50 } },
			      never;
static const char *mode;
static volatile long begun, sent, nested, signals;
static sigjmp_buf again;
static pthread_t first;

/* ---- threads ---- */

static uintptr_t our_begin, our_end; /* the code of the library under test */
static _Thread_local sigjmp_buf again_here;
static _Thread_local volatile sig_atomic_t jumping;
static _Atomic long jumps;

static int find_our_code(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	const char *name = strrchr(info->dlpi_name, '/');

	(void)bytes, (void)unused;
	/* its folder may be called so, too */
	if (!name || strncmp(name, "/tryst-", strlen("/tryst-")) != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
			continue;
		our_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		our_end = our_begin + info->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

/* Did the signal interrupt our own code? */
static int is_ours(const void *context)
{
	const mcontext_t *m = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
	uintptr_t at = (uintptr_t)m->gregs[REG_RIP];
#else
	uintptr_t at = (uintptr_t)m->pc;
#endif

	return at >= our_begin && at < our_end;
}

static void jump_out_of_our_code(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info;
	if (jumping && is_ours(context)) {
		jumps++;
		siglongjmp(again_here, 1);
	}
}

static void *post_and_cancel(void *alarms)
{
	int data;

	sigsetjmp(again_here, 1);
	for (volatile long i = 0; our_end ? jumps < SIGNALS : i < BARE_ROUNDS; i++) {
		MPI_Request request;

		jumping = 1;
		pthread_sigmask(SIG_UNBLOCK, alarms, NULL);
		MPI_Irecv(&data, 1, MPI_INT, 0, MAIN_TAG, MPI_COMM_SELF, &request);
		MPI_Cancel(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	jumping = 0;
	return NULL;
}

static int run_threads(void)
{
	struct sigaction action = { .sa_sigaction = jump_out_of_our_code,
		.sa_flags = SA_RESTART | SA_SIGINFO };
	pthread_t thread[THREADS];
	sigset_t alarms;
	int provided;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	dl_iterate_phdr(find_our_code, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, post_and_cancel, &alarms);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s: %ld jumps\n", mode, (long)jumps);
	MPI_Finalize();
	return provided != MPI_THREAD_MULTIPLE;
}

/* ---- deep ---- */

static __attribute__((noinline)) void send_deep(int depth)
{
	volatile char frame[512];

	frame[depth] = 0;
	if (depth > 0)
		send_deep(depth - 1);
	else
		for (int i = 0; i < DEEP; i++)
			MPI_Ssend(NULL, 0, MPI_INT, MPI_PROC_NULL, MAIN_TAG, MPI_COMM_WORLD);
	frame[depth]++;
}

static int run_deep(void)
{
	struct sigaction action = { .sa_sigaction = jump_out_of_our_code,
		.sa_flags = SA_RESTART | SA_SIGINFO };

	MPI_Init(NULL, NULL);
	dl_iterate_phdr(find_our_code, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (volatile int times = 0; times < DEEP_TIMES; times++) {
		if (sigsetjmp(again_here, 1) == 0) {
			jumping = 1;
			setitimer(ITIMER_REAL, &every, NULL);
			while (our_end)
				MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, MAIN_TAG, MPI_COMM_WORLD);
		}
		jumping = 0;
		setitimer(ITIMER_REAL, &never, NULL);
		send_deep(8);
	}
	printf("%s: %ld jumps\n", mode, (long)jumps);
	MPI_Finalize();
	return 0;
}

/* ---- fork ---- */

static volatile sig_atomic_t is_child, children, ended_badly;

static void fork_once(void)
{
	int status;
	pid_t pid = fork();

	is_child = pid == 0;
	if (pid <= 0)
		return;
	children++;
	if (waitpid(pid, &status, 0) != pid || status != 0)
		ended_badly++;
}

/*
 * The next alarm is set when all of this is done: during a fork it would come due, and interrupt
 * the program again at the same instruction.
 */
static void fork_in_our_code(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info;
	if (is_child || children >= CHILDREN)
		return;
	if (is_ours(context))
		fork_once();
	if (!is_child)
		setitimer(ITIMER_REAL, &once, NULL);
}

static int run_fork(void)
{
	struct sigaction action = { .sa_sigaction = fork_in_our_code,
		.sa_flags = SA_RESTART | SA_SIGINFO };

	MPI_Init(NULL, NULL);
	dl_iterate_phdr(find_our_code, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	while (our_end && children < CHILDREN) {
		MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, MAIN_TAG, MPI_COMM_WORLD);
		if (is_child)
			_exit(0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s: %d children, %d ended badly\n", mode, (int)children, (int)ended_badly);
	MPI_Finalize();
	return 0;
}

/* ---- messages to nobody ---- */

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

static void *run(void *unused)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART | SA_ONSTACK };
	sigset_t alarms;
	int data[50];

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	first = pthread_self();
	MPI_Init(NULL, NULL);
	if (strcmp(mode, "exit") == 0)
		atexit(finalize);
	sigaction(SIGALRM, &action, NULL);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	sigsetjmp(again, 1);
	setitimer(ITIMER_REAL, &every, NULL);
	while (signals < SIGNALS || strcmp(mode, "exit") == 0) {
		begun++;
		MPI_Send(data, (int)(begun % 50), MPI_INT, MPI_PROC_NULL, MAIN_TAG, MPI_COMM_WORLD);
		sent++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s: sent %ld to %ld, in handlers %ld\n", mode, sent, begun, nested);
	MPI_Finalize();
	return unused;
}

/* On a stack of its own, below the one for signals. */
static char stacks[2][1 << 20];

static void *run_below(void *unused)
{
	stack_t above = { .ss_sp = stacks[1], .ss_size = sizeof(stacks[1]) };

	sigaltstack(&above, NULL);
	return run(unused);
}

static int run_in_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stacks[0], sizeof(stacks[0]));
	pthread_create(&thread, &attributes, run_below, NULL);
	pthread_join(thread, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	mode = argc > 1 ? argv[1] : "call";
	if (strcmp(mode, "threads") == 0)
		return run_threads();
	if (strcmp(mode, "deep") == 0)
		return run_deep();
	if (strcmp(mode, "fork") == 0)
		return run_fork();
	if (strcmp(mode, "stack") == 0)
		return run_in_thread();
	run(NULL);
	return 0;
}
