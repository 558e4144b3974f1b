/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site.c: counts and times all calls of a rank, adds the ranks' sums up in MPI_Finalize.
 *
 *   wrapper -> call_enter, the library's function, call_leave -> site.sum[FN_*]
 *   MPI_Finalize -> MPI_Ireduce over MPI_COMM_WORLD -> rank 0 --job_file.c--> one file
 *
 * A rank has one table of sums for all its threads, and nothing that grows. MPI_Init sends no
 * message. So a rank without the library can only spoil the reduction, which is given up.
 *
 * Rank 0 also writes its own sums while the job runs, when it begins a call that may wait: at the
 * first two, then each time the run is twice as long, from 1 s on each time it is a quarter longer.
 * Between these looks it stores the call's name in the file's mapped page, and each millisecond the
 * time. A job that hangs or is killed leaves this file. tryst starts no thread to write it: with a
 * second thread, libc takes locks also in programs that have only one.
 */
#include "config.h"
#include "pmpi/site/site.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/format/run/launcher.h"
#include "analysis/format/run/proc.h"
#include "analysis/format/run/settings.h"
#include "next.h"
#include "pmpi/call/status.h"
#include "pmpi/dispatch/handles.h"
#include "pmpi/dispatch/next_fill.h"
#include "pmpi/record/clock.h"
#include "pmpi/record/isolate.h"
#include "pmpi/record/shim.h"
#include "pmpi/site/job_file.h"

extern char **environ;

static struct {
	_Atomic bool on;       /* from the end of MPI_Init to the begin of MPI_Finalize */
	bool started;          /* and afterwards */
	_Atomic uint64_t look; /* from when on rank 0 stores the time, or writes a record [ticks] */
	uint64_t next_write;   /* from when on it writes the next one [ticks] */
	unsigned looks;        /* records so far */
	uint64_t begin;        /* [ticks] */
	int64_t no_cpu;        /* [ns] at that time; -1: unknown */
	uint64_t own;          /* what tryst took apart from the wrappers [ticks] */
	uint64_t frame;        /* what FRAMES wrappers take [ticks] */
	uint64_t data;         /* what FRAMES countings of bytes take [ticks] */
	int threads;           /* that have called MPI; counted with MPI_THREAD_MULTIPLE alone */
	bool failed;           /* the last write; the next one tries again */
	bool shared; /* threads may call at once: below MPI_THREAD_MULTIPLE MPI_Wtime etc. */
	atomic_flag writing; /* a thread is in site.all and the file */
	atomic_flag showing; /* a thread stores its call's name */
	struct site_record record;
	struct site_sum sum[SITE_SUMS]; /* this rank's; first in ticks, for the reduction in ns */
	struct site_sum all[SITE_SUMS]; /* what the record shows */
	char call[FN_COUNT][SITE_CALL_WIDTH + 1]; /* its texts of in_call; made by rank 0 */
} site;

enum { FRAMES = 64, BATCHES = 8 };
enum { FIRST_LOOKS = 2, SHORTEST_NS = 16000000, SHOW_NS = 1000000 };
enum { PART = 96, PARTS = (SITE_SUMS + PART - 1) / PART }; /* 3840 bytes */
#define SECOND_NS INT64_C(1000000000)

/*
 * The frame of the outermost wrapper, and where it returns to. Calls that a library makes for
 * itself stand below it and do not count. Calls of the program's callbacks are part of the outer
 * call. A handler may jump out of MPI: then a frame above, or another return address there, ends
 * the guard.
 */
static __thread uintptr_t guard;
static __thread uintptr_t guard_return;
static __thread bool is_counted; /* is this thread one of site.threads? */

/* ---- the path of a call ---- */

static void add(uint64_t *sum, uint64_t n)
{
	if (unlikely(site.shared))
		__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
	else
		*sum += n;
}

/* The frame pointer points to a pair of words: that of the caller, and the return address. */
static uintptr_t return_of(uintptr_t frame)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return ((const uintptr_t *)frame)[1];
#else
	(void)frame;
	return 0;
#endif
}

/* The time, or 0 for a call that does not count. */
static __attribute__((noinline)) uint64_t call_enter(const void *frame)
{
	if (unlikely(!atomic_load_explicit(&site.on, memory_order_relaxed)) ||
		(unlikely(guard) && (uintptr_t)frame < guard && return_of(guard) == guard_return))
		return 0;
	guard = (uintptr_t)frame;
	guard_return = return_of(guard);
	if (unlikely(shim.threaded && !is_counted)) {
		is_counted = true;
		__atomic_fetch_add(&site.threads, 1, __ATOMIC_RELAXED);
	}
	return clock_ticks();
}

/* If two threads begin a call at once, only one call is stored. */
static __attribute__((noinline)) void show(const char text[SITE_CALL_WIDTH])
{
	if (unlikely(site.shared) && atomic_flag_test_and_set(&site.showing))
		return;
	site_record_show_call(&site.record, text);
	if (unlikely(site.shared))
		atomic_flag_clear(&site.showing);
}

static uint64_t look(unsigned fn, uint64_t enter);

/* In wrappers of functions in which a rank may wait, behind call_enter(). */
static inline uint64_t call_look(unsigned fn, uint64_t enter)
{
	if (enter && site.record.shows)
		show(site.call[fn]);
	if (unlikely(enter >= atomic_load_explicit(&site.look, memory_order_relaxed)))
		return look(fn, enter);
	return enter;
}

static __attribute__((noinline)) void call_leave(unsigned fn, uint64_t enter)
{
	uint64_t now = clock_ticks();

	guard = 0;
	add(&site.sum[fn].count, 1);
	add(&site.sum[fn].time, now - enter);
}

static __attribute__((noinline)) void count_bytes(unsigned fn, uint64_t bytes)
{
	add(&site.sum[fn].bytes, bytes);
}

static uint64_t bytes_of(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	/* which some libraries accept for messages without elements */
	if (count <= 0 || type == H(MPI_DATATYPE_NULL) ||
		pnext.MPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
		return 0;
	return (uint64_t)count * (uint64_t)size;
}

/* A message, unless it goes to MPI_PROC_NULL. */
static __attribute__((noinline)) void count_sent(
	unsigned fn, MPI_Count count, MPI_Datatype type, int dest)
{
	struct site_sum *size;
	uint64_t bytes;
	int class;

	if (dest < 0)
		return;
	bytes = bytes_of(count, type);
	class = bytes ? 64 - __builtin_clzll(bytes) : 0;
	size = &site.sum[SITE_MESSAGE + (class < SITE_SIZES ? class : SITE_SIZES - 1)];
	add(&size->count, 1);
	add(&size->bytes, bytes);
	add(&site.sum[fn].bytes, bytes);
}

static int rank_in(MPI_Comm comm)
{
	int rank = 0;

	pnext.MPI_Comm_rank(comm, &rank);
	return rank;
}

/* The number of ranks that a collective call exchanges data with. */
static uint64_t members_of(MPI_Comm comm)
{
	int inter = 0, size = 0;

	if (pnext.MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter)
		pnext.MPI_Comm_remote_size(comm, &size);
	else
		pnext.MPI_Comm_size(comm, &size);
	return (uint64_t)size;
}

static inline MPI_Count total_int(const int *counts, uint64_t n)
{
	MPI_Count sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

static inline MPI_Count total_count(const MPI_Count *counts, uint64_t n)
{
	MPI_Count sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

#define total(counts, n)                                                                           \
	_Generic((counts), const int * : total_int, const MPI_Count * : total_count)(counts, n)

/* ---- sums ---- */

/* Sets the figures of one rank; `max` is the rank's own time until ranks are added up. */
static void put(struct site_sum *sum, uint64_t count, uint64_t time_ns)
{
	*sum = (struct site_sum){
		.count = count, .time = time_ns, .max = time_ns, .max_rank = (uint64_t)shim.rank
	};
}

/* How long the process has been ready to run without a CPU [ns]; -1: unknown. */
static int64_t without_cpu(void)
{
	struct proc_cpu cpu;

	return proc_cpu_of_process(0, &cpu) ? cpu.waited_ns : -1;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* This rank's sums until `now` [ticks], in nanoseconds. `to` may be site.sum itself. */
static void sum_up(struct site_sum *to, uint64_t now)
{
	uint64_t run = (uint64_t)clock_ns(now - site.begin), mpi = 0, calls = 0, data = 0, own;
	int64_t no_cpu = without_cpu();

	for (unsigned i = 0; i < SITE_SUMS; i++) {
		struct site_sum sum = site.sum[i];

		put(&to[i], sum.count, (uint64_t)clock_ns(sum.time));
		to[i].bytes = sum.bytes;
		if (i < FN_COUNT) {
			calls += sum.count;
			data += site.record.has_bytes[i] ? sum.count : 0;
			mpi += to[i].time;
		}
	}
	/* a clock's rate is measured anew at each look */
	mpi = mpi < run ? mpi : run;
	own = (uint64_t)clock_ns(
		site.own + calls * site.frame / FRAMES + data * site.data / FRAMES);
	put(&to[SITE_RUN], 1, run);
	put(&to[SITE_IN_MPI], site.threads > 1, mpi);
	put(&to[SITE_OUTSIDE], 0, run - mpi);
	put(&to[SITE_TRYST], 0, own);
	if (site.no_cpu >= 0 && no_cpu >= site.no_cpu)
		put(&to[SITE_NO_CPU], 1, lesser((uint64_t)(no_cpu - site.no_cpu), run));
	put(&to[SITE_HOSTS], launcher_local_rank() == 0, 0);
}

/* The operation of MPI_Ireduce. */
static void add_ranks(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const struct site_sum *from = in;
	struct site_sum *to = inout;

	(void)type;
	for (int i = 0; i < *n; i++, from++, to++) {
		to->count += from->count;
		to->bytes += from->bytes;
		to->time += from->time;
		if (from->max > to->max ||
			(from->max == to->max && from->max_rank < to->max_rank)) {
			to->max = from->max;
			to->max_rank = from->max_rank;
		}
	}
}

/*
 * Ranks may come late, but MPI_Finalize would wait for them just as long. A rank without the
 * library never comes. So the wait ends after a tenth of the run, at least ten seconds, at most ten
 * minutes. Sleeps are a two hundredth of the wait so far: the others lose no processor to it.
 */
static bool wait_for(MPI_Request request[PARTS], uint64_t run_ns)
{
	int64_t begin = now_ns(CLOCK_MONOTONIC), waited = 0;
	int64_t longest = (int64_t)(run_ns / 10);
	int done = 0, rc;

	longest = longest < 10 * SECOND_NS ? 10 * SECOND_NS : longest;
	longest = longest > 600 * SECOND_NS ? 600 * SECOND_NS : longest;
	/* with an error it may say that all are done */
	while ((rc = pnext.MPI_Testall(PARTS, request, &done, MPI_STATUSES_IGNORE)) ==
			MPI_SUCCESS &&
		!done && waited < longest) {
		int64_t sleep_ns = waited / 200 < 5000000 ? waited / 200 : 5000000;

		if (sleep_ns < 5000)
			sched_yield();
		else
			nanosleep(&(struct timespec){ .tv_nsec = sleep_ns }, NULL);
		waited = now_ns(CLOCK_MONOTONIC) - begin;
	}
	return rc == MPI_SUCCESS && done;
}

/*
 * Adds up in parts that are eager messages, so no send stays open if its receiver gives up: MPICH's
 * MPI_Finalize would wait for it.
 */
static bool reduce(MPI_Datatype type, MPI_Op op, uint64_t run_ns)
{
	MPI_Request request[PARTS];

	for (unsigned i = 0; i < PARTS; i++) {
		unsigned at = i * PART, n = SITE_SUMS - at < PART ? SITE_SUMS - at : PART;

		if (pnext.MPI_Ireduce(site.sum + at, site.all + at, (int)n, type, op, 0,
			    H(MPI_COMM_WORLD), &request[i]) != MPI_SUCCESS)
			return false;
	}
	return wait_for(request, run_ns);
}

/* Rank 0 gets the sums of all ranks in site.all; false: they could not be had. */
static bool add_up_ranks(uint64_t run_ns)
{
	MPI_Errhandler handler;
	MPI_Datatype type;
	MPI_Op op;
	bool done;

	/* an error of ours is none of the program's */
	if (pnext.MPI_Comm_get_errhandler(H(MPI_COMM_WORLD), &handler) != MPI_SUCCESS)
		return false;
	pnext.MPI_Comm_set_errhandler(H(MPI_COMM_WORLD), H(MPI_ERRORS_RETURN));
	pnext.MPI_Type_contiguous(sizeof(struct site_sum), H(MPI_BYTE), &type);
	pnext.MPI_Type_commit(&type);
	pnext.MPI_Op_create(add_ranks, 1, &op);
	done = reduce(type, op, run_ns) &&
		(shim.rank != 0 || site.all[SITE_RUN].count == (uint64_t)shim.nranks);
	if (done) { /* else the library may still need both */
		pnext.MPI_Op_free(&op);
		pnext.MPI_Type_free(&type);
	}
	pnext.MPI_Comm_set_errhandler(H(MPI_COMM_WORLD), handler);
	pnext.MPI_Errhandler_free(&handler);
	return done;
}

/* ---- the record ---- */

static void write_record(enum site_state state)
{
	int rc = site_record_write(&site.record, state, site.all);

	if (rc && !site.failed)
		shim_say("cannot write the job's record in '%s': %s", site.record.dir,
			strerror(-rc));
	site.failed = rc != 0;
}

/* The last state waits for a look of another thread, at most a second. */
static void await_look(void)
{
	int64_t end = now_ns(CLOCK_MONOTONIC) + SECOND_NS;

	while (atomic_flag_test_and_set(&site.writing) && now_ns(CLOCK_MONOTONIC) < end)
		sched_yield();
}

/* The time from a look to the next one [ticks]. ran: from the begin to this look. */
static uint64_t until_next_look(uint64_t ran)
{
	uint64_t shortest = clock_from_ns(SHORTEST_NS);

	if (site.looks < FIRST_LOOKS)
		return 0;
	if (ran >= clock_from_ns(SECOND_NS))
		return ran / 4;
	return ran > shortest ? ran : shortest;
}

static void write_look(unsigned fn, uint64_t now)
{
	struct isolate guest;

	isolate_enter_locked(&guest);
	clock_set_rate(clock_measure_rate());
	sum_up(site.all, now);
	site.record.in_call = fn;
	site.record.in_call_begin_ns = site.all[SITE_RUN].time;
	write_record(SITE_RUNNING);
	site.record.in_call = FN_NONE;
	site.looks++;
	site.next_write = now + until_next_look(now - site.begin);
	isolate_leave(&guest);
}

/*
 * Rank 0, as it begins a call: writes its sums, or only stores the time. Returns the time
 * afterwards, at which the call then begins.
 */
static __attribute__((noinline)) uint64_t look(unsigned fn, uint64_t now)
{
	uint64_t again;

	/* A call that does not count has time 0. Before the start site.look is 0, too. */
	if (now == 0 || atomic_exchange(&site.look, UINT64_MAX) == UINT64_MAX ||
		atomic_flag_test_and_set(&site.writing))
		return now;
	if (atomic_load(&site.on)) {
		if (now >= site.next_write)
			write_look(fn, now);
		else
			site_record_show_begin(&site.record, (uint64_t)clock_ns(now - site.begin));
		site.own += clock_ticks() - now;
		again = now + clock_from_ns(SHOW_NS);
		atomic_store(&site.look,
			site.record.shows ? lesser(again, site.next_write) : site.next_write);
	}
	atomic_flag_clear(&site.writing);
	return clock_ticks();
}

/* Measured with the calls of no function, FN_NONE, which no record shows. */
static void measure_frame(void)
{
	site.frame = site.data = UINT64_MAX;
	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t begin = clock_ticks(), between;

		for (int i = 0; i < FRAMES; i++)
			call_leave(FN_NONE, call_enter(__builtin_frame_address(0)));
		between = clock_ticks();
		for (int i = 0; i < FRAMES; i++)
			count_bytes(FN_NONE, bytes_of(1, H(MPI_BYTE)));
		site.data = lesser(site.data, clock_ticks() - between);
		site.frame = lesser(site.frame, between - begin);
	}
	site.sum[FN_NONE] = (struct site_sum){ 0 };
}

static void make_record(void)
{
	char *version = site.record.mpi_library;
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0, rc;

	pnext.MPI_Get_library_version(text, &length);
	snprintf(version, sizeof(site.record.mpi_library), "%.*s", (int)strcspn(text, "\n,"), text);
	site.record.nranks = shim.nranks;
	if (!shim.settings.site_dir) {
		shim_say("TRYST_RECORD=profile needs TRYST_SITE_DIR, the directory of its records");
		return;
	}
	for (unsigned fn = 0; fn < FN_COUNT; fn++)
		site_record_call_text(site.call[fn], fn);
	rc = site_record_make(&site.record, shim.settings.site_dir);
	if (rc) {
		shim_say("cannot write the job's record in '%s': %s", shim.settings.site_dir,
			strerror(-rc));
		return;
	}
	sum_up(site.all, site.begin);
	write_record(SITE_RUNNING);
	if (site.failed)
		site_record_drop(&site.record);
	else
		atomic_store(&site.look, 1); /* not 0, the time of a call that does not count */
}

static void start(void)
{
	struct say say = { shim_say_text, NULL };
	int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
	struct isolate guest;
	int level = MPI_THREAD_SINGLE;

	isolate_enter(&guest);
	site.started = true;
	site.look = UINT64_MAX;
	pnext.MPI_Comm_rank(H(MPI_COMM_WORLD), &shim.rank);
	pnext.MPI_Comm_size(H(MPI_COMM_WORLD), &shim.nranks);
	pnext.MPI_Query_thread(&level);
	shim.threaded = level == MPI_THREAD_MULTIPLE;
	site.shared = level != MPI_THREAD_SINGLE;
	settings_init(&shim.settings);
	settings_load(&shim.settings, environ, shim.rank == 0 ? &say : NULL);
	clock_start(shim.settings.clock);
	site.on = true;
	measure_frame();
	site.no_cpu = without_cpu();
	site.begin = clock_ticks();
	/* else the launcher and the library do not fit: each process takes itself for a job */
	if (shim.rank == 0 && (shim.nranks > 1 || launcher_rank() <= 0))
		make_record();
	site.own = clock_from_ns((uint64_t)(now_ns(CLOCK_MONOTONIC) - begin_ns));
	isolate_leave(&guest);
}

/* MPI_Finalize may wait for other ranks for long. */
static void show_stop(uint64_t now)
{
	if (!site.record.shows)
		return;
	site_record_show_call(&site.record, site.call[FN_MPI_Finalize]);
	site_record_show_begin(&site.record, (uint64_t)clock_ns(now - site.begin));
}

static void stop(void)
{
	struct isolate guest;
	uint64_t now = clock_ticks();

	if (!atomic_exchange(&site.on, false))
		return;
	isolate_enter(&guest);
	atomic_store(&site.look, UINT64_MAX);
	await_look();
	clock_set_rate(clock_measure_rate());
	show_stop(now);
	sum_up(site.sum, now);
	if (shim.nranks == 1 || !add_up_ranks(site.sum[SITE_RUN].time)) {
		memcpy(site.all, site.sum, sizeof(site.all));
		if (shim.rank == 0 && shim.nranks > 1)
			shim_say("the job's record has only rank 0's calls: some ranks ran without "
				 "libtryst.so, ended without MPI_Finalize, or came there very "
				 "late");
	}
	if (shim.rank == 0)
		write_record(SITE_FINALIZED);
	isolate_leave(&guest);
}

/* ---- where the program begins and ends ---- */

static int around_MPI_Init(__typeof__(pnext.MPI_Init) fn, int *argc, char ***argv)
{
	int rc = fn(argc, argv);

	if (rc == MPI_SUCCESS && !site.started)
		start();
	return rc;
}

static int around_MPI_Init_thread(
	__typeof__(pnext.MPI_Init_thread) fn, int *argc, char ***argv, int required, int *provided)
{
	int rc = fn(argc, argv, required, provided);

	if (rc == MPI_SUCCESS && !site.started)
		start();
	return rc;
}

static int around_MPI_Finalize(__typeof__(pnext.MPI_Finalize) fn)
{
	stop();
	return fn();
}

/* Nothing is asked of other ranks: the job ends now. */
static int around_MPI_Abort(__typeof__(pnext.MPI_Abort) fn, MPI_Comm comm, int code)
{
	struct isolate guest;

	if (shim.rank == 0 && atomic_exchange(&site.on, false)) {
		isolate_enter_locked(&guest);
		await_look();
		clock_set_rate(clock_measure_rate());
		sum_up(site.all, clock_ticks());
		write_record(SITE_ABORTED);
		isolate_leave(&guest);
	}
	return fn(comm, code);
}

#include "site_wrappers.h"

bool site_is_wanted(void)
{
	return settings_record() == RECORD_PROFILE;
}

struct shim_entry *site_entries(size_t *count)
{
	site.record.has_bytes = has_bytes;
	*count = sizeof(entries) / sizeof(*entries);
	return entries;
}
