/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init.c: start and end of recording.
 *
 *   MPI_Init returns -> settings, clock -> directory (rank 0 chooses, all learn) -> files
 *     -> who is where (tiers) -> link parameters -> hosts' clocks -> definitions -> recording
 *   MPI_Finalize -> last records -> hosts' clocks -> library's Finalize -> files closed -> rows
 *
 * A program that only uses sessions starts recording with its first communicator of all processes.
 * Spawned processes find their directory in a note (world.h).
 *
 * All ranks take part in every collective step. A rank that cannot write its files takes part, too,
 * and records nothing.
 */
#include "config.h"
#include "pmpi/start/init.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/run/launcher.h"
#include "analysis/format/run/mark.h"
#include "analysis/format/rows/rows.h"
#include "analysis/format/run/run_dir.h"
#include "analysis/format/run/world_note.h"
#include "pmpi/call/call.h"
#include "pmpi/call/comm.h"
#include "pmpi/start/cpu.h"
#include "pmpi/record/row_limit.h"
#include "pmpi/record/isolate.h"
#include "pmpi/dispatch/handles.h"
#include "pmpi/record/observe.h"
#include "pmpi/start/params.h"
#include "pmpi/call/phase.h"
#include "next.h"
#include "pmpi/call/request.h"
#include "pmpi/sample/sample.h"
#include "pmpi/start/sync.h"
#include "pmpi/start/world.h"

extern char **environ;

struct init_sessions init_sessions;

static struct {
	struct call finalize;
	bool finalize_counts;
	pid_t ended;   /* the process, once MPI_Finalize has returned */
	bool has_rows; /* MPI_Finalize has written the rows */
	char rank_dir[RUN_PATH_MAX];
	struct stat rank_dir_made;
	MPI_Comm own;    /* COMM_NULL: none */
	MPI_Comm parent; /* who spawned this world; COMM_NULL */
	int parent_world;
	uint64_t parent_key;   /* of the communicator to them; 0: unknown */
	struct say_list heard; /* messages kept until it is known which rank prints them */
	struct say say;
} start;

static const struct ring_full full = { observe_ring, row_limit_apply };

/* The parents' settings; this process's own environment overrides them. */
static void read_parents_settings(void)
{
	char *text, *line, *rest = NULL;

	text = getenv("TRYST_SPAWNED") ? world_note_settings(getenv("TRYST_SPAWNED")) : NULL;
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
		line = strtok_r(NULL, "\n", &rest)) {
		char *one[] = { line, NULL };

		settings_load(&shim.settings, one, NULL);
	}
	free(text);
}

static void read_settings(void)
{
	say_list_init(&start.heard);
	settings_init(&shim.settings);
	if (start.parent != H(MPI_COMM_NULL))
		read_parents_settings();
	settings_load(&shim.settings, environ, &start.heard.say);
	start.say = (struct say){ shim_say_text, NULL };
	/* All ranks have the same environment: one rank prints its errors. */
	if (shim.rank == 0)
		for (const char *line = NULL; (line = say_list_next(&start.heard, line));)
			shim_say_text(NULL, line);
}

static uint64_t new_run_id(void)
{
	struct rec_clock now;

	clock_read(&now);
	return ((uint64_t)now.realtime_ns << 12 ^ (uint64_t)getpid() << 1 ^ now.ticks) | 1;
}

static void program_path(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	path[n > 0 ? n : 0] = '\0';
}

/* Rank 0's choices, sent to all ranks. */
struct chosen {
	uint64_t run_id;
	int32_t error;
	int32_t calibrate; /* rank 0 decides this, since all ranks take part */
	int32_t links;
	int32_t world;
	int32_t parent_world;
	uint64_t parent_key;
	char asked[RUN_PATH_MAX]; /* rank 0's setting of the directory; empty: none */
	char dir[RUN_PATH_MAX];
};

/* A spawned world's directory: from its parents' note, or a new one beside that run. */
static bool choose_spawned(struct chosen *chosen)
{
	struct world_note note;

	if (world_read_note(&note)) {
		chosen->run_id = note.run_id;
		chosen->world = note.world;
		chosen->parent_world = note.parent_world;
		chosen->parent_key = note.key;
		snprintf(chosen->dir, sizeof(chosen->dir), "%s", note.dir);
		return true;
	}
	chosen->parent_world = PEER_WORLD_UNKNOWN;
	if (!shim.settings.dir || run_dir_id(shim.settings.dir, &chosen->run_id) != 0)
		return false;
	chosen->world = run_world_claim(
		shim.settings.dir, chosen->run_id, chosen->dir, sizeof(chosen->dir), &start.say);
	if (chosen->world < 0)
		chosen->error = chosen->world;
	return true;
}

/* All ranks leave MPI_Init at about the same time. */
#define LONG_ALONE_NS 5000000000ULL

/*
 * Waits for all ranks, yielding, since ranks may share a processor. A rank without the library
 * never comes, and the job hangs: some ranks then print the reason. Ranks 0, 1, 2, 4, 8, ... print,
 * so that a few lines come whichever ranks are missing.
 */
static void meet_all(bool first)
{
	bool speaks = first && (shim.rank & (shim.rank - 1)) == 0;
	uint64_t begin_ns = init_now_ns();
	MPI_Request request;
	int all_here = 0;

	if (shim.nranks == 1 || pnext.MPI_Ibarrier(comm_all, &request) != MPI_SUCCESS)
		return;
	while (pnext.MPI_Test(&request, &all_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !all_here) {
		if (speaks && init_now_ns() - begin_ns > LONG_ALONE_NS) {
			shim_say("rank %d waits in MPI_Init: of the %d ranks some seem to run "
				 "without libtryst.so; all must have it, or none",
				shim.rank, shim.nranks);
			speaks = false;
		}
		sched_yield();
	}
}

/*
 * The programs of one launch may ask for different directories, but a run has one. The first rank
 * that asked for another one prints which is used.
 */
static void say_not_asked(const struct chosen *chosen)
{
	bool differs = shim.settings.dir && strcmp(shim.settings.dir, chosen->asked) != 0;
	int mine = differs ? shim.rank : shim.nranks, first = shim.nranks;

	if (shim.nranks == 1 || chosen->error || start.parent != H(MPI_COMM_NULL) ||
		pnext.MPI_Allreduce(&mine, &first, 1, H(MPI_INT), H(MPI_MIN), comm_all) !=
			MPI_SUCCESS)
		return;
	if (first == shim.rank)
		shim_say("rank %d was given the directory '%s', but rank 0 decides: the records of "
			 "all ranks are in '%s'",
			first, shim.settings.dir, chosen->dir);
}

/* Rank 0 chooses and makes the directory, and tells all ranks its name or that there is none. */
static int choose_directory(void)
{
	static char no_path[] = "";
	struct chosen chosen = { .calibrate = shim.settings.calibrate,
		.links = shim.settings.links != NULL };

	if (shim.rank == 0 && !(start.parent != H(MPI_COMM_NULL) && choose_spawned(&chosen))) {
		char wanted[RUN_PATH_MAX], program[RUN_PATH_MAX];

		program_path(program, sizeof(program));
		snprintf(chosen.asked, sizeof(chosen.asked), "%s",
			shim.settings.dir ? shim.settings.dir : "");
		if (shim.settings.dir)
			snprintf(wanted, sizeof(wanted), "%s", shim.settings.dir);
		else
			run_dir_default(wanted, sizeof(wanted), program);
		chosen.run_id = new_run_id();
		chosen.error = run_dir_claim(
			wanted, chosen.run_id, chosen.dir, sizeof(chosen.dir), &start.say);
	}
	if (pnext.MPI_Bcast(&chosen, sizeof(chosen), H(MPI_BYTE), 0, comm_all) != MPI_SUCCESS)
		return -1;
	shim.settings.calibrate = chosen.calibrate;
	if (shim.rank != 0)
		shim.settings.links = chosen.links ? no_path : NULL;
	shim.run_id = chosen.run_id;
	shim.world = chosen.world;
	start.parent_world = chosen.parent_world;
	start.parent_key = chosen.parent_key;
	snprintf(shim.dir, sizeof(shim.dir), "%s", chosen.dir);
	say_not_asked(&chosen);
	if (chosen.error)
		shim_note("there is no directory for the records: %s", strerror(-chosen.error));
	return chosen.error ? -1 : 0;
}

/* The communicator to the parents of this world exists from the start. */
static void emit_parent(struct thread *t)
{
	int size = 0;

	if (start.parent == H(MPI_COMM_NULL) ||
		pnext.MPI_Comm_remote_size(start.parent, &size) != MPI_SUCCESS)
		return;
	comm_foreign(t, FN_MPI_Comm_get_parent, NULL, start.parent, start.parent_key,
		start.parent_world, world_note_ranks(shim.dir, size));
}

/* Under another MPI's launcher each process becomes rank 0 of 1. */
static void say_strange_launcher(void)
{
	if (shim.nranks == 1 && shim.world == 0 && !init_sessions.started && launcher_size() > 1 &&
		launcher_rank() <= 0)
		shim_say(
			"%d processes were started together, but MPI_COMM_WORLD of this one has no "
			"other: is the launcher that of another MPI than the program's?",
			launcher_size());
}

static int make_files(void)
{
	int error = run_rank_dir(
		shim.dir, shim.nranks, shim.rank, true, start.rank_dir, sizeof(start.rank_dir));

	if (error) {
		shim_say_not_recorded(start.rank_dir, -error);
		return -1;
	}
	/* the next call reports a failure of this one */
	if (stat(start.rank_dir, &start.rank_dir_made) != 0)
		start.rank_dir_made.st_ino = 0;
	if (ring_create(start.rank_dir, shim.rank, shim.world, shim.run_id,
		    (uint64_t)shim.settings.max_ops, &full) != 0)
		return -1;
	if (row_limit_start() == 0)
		return 0;
	shim_say_not_recorded(start.rank_dir, errno);
	ring_abandon();
	return -1;
}

static void emit_definition(void *context, const void *record, size_t bytes)
{
	(void)context;
	(void)bytes;
	if (thread_self)
		record_append(thread_self, record);
}

/* One clock rate for all ranks of a node, which read the same clock, measured during our start. */
static void agree_on_rate(void)
{
	struct {
		double rate;
		char clock[64];
	} own = { .rate = clock_measure_rate() }, first;
	MPI_Comm node;

	clock_identity(own.clock, sizeof(own.clock));
	first = own;
	if (start.own != H(MPI_COMM_NULL) &&
		pnext.MPI_Comm_split_type(start.own, MPI_COMM_TYPE_SHARED, shim.rank,
			H(MPI_INFO_NULL), &node) == MPI_SUCCESS) {
		pnext.MPI_Bcast(&first, sizeof(first), H(MPI_BYTE), 0, node);
		pnext.MPI_Comm_free(&node);
	}
	if (strcmp(first.clock, own.clock) == 0)
		own.rate = first.rate;
	clock_set_rate(own.rate);
	if (ring_file)
		ring_file->ns_per_tick = own.rate;
}

static void emit_clock(struct thread *t, uint32_t when)
{
	struct rec_clock now;

	clock_read(&now);
	now.head.id = when;
	record_append(t, &now);
	sync_reading(&now);
}

static void emit_arguments(struct thread *t)
{
	char text[4000];
	FILE *f = fopen("/proc/self/cmdline", "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	for (size_t i = 0; i + 1 < n; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[n] = '\0';
	record_key(t, "arguments", text);
}

static void emit_run(struct thread *t, const char *callsites_why)
{
	char text[RUN_PATH_MAX];
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;

	record_key(t, "tryst_version", PACKAGE_VERSION);
	program_path(text, sizeof(text));
	record_key(t, "program", text);
	emit_arguments(t);
	record_key(t, "host", ring_file->host);
	cpu_emit_map(t);
	pnext.MPI_Get_library_version(version, &length);
	version[strcspn(version, "\n")] = '\0';
	record_key(t, "mpi_library", version);
	record_key(t, "shim", SHIM_KIND);
	record_key_number(t, "world_size", shim.nranks);
	record_key_number(t, "thread_multiple", shim.threaded);
	record_key(t, "clock", shim_clock.counter ? "tsc" : "monotonic");
	clock_identity(text, sizeof(text));
	record_key(t, "clock_id", text);
	if (callsites_why[0])
		record_key(t, "callsites", callsites_why);
	for (size_t i = 0; i < settings_count; i++) {
		setting_print(&shim.settings, &settings_table[i], text, sizeof(text));
		record_key(t, settings_table[i].variable, text);
	}
}

static void count_init_call(
	struct thread *t, unsigned fn, void *return_address, void *frame, uint64_t ns)
{
	uint32_t site = callsite_get(t->callsites, fn, return_address, frame);
	struct call_sum *sum = thread_sum(t, site, fn);

	sum->count = 1;
	sum->ticks = sum->max_ticks = clock_from_ns(ns);
}

static void emit_cost(struct thread *t)
{
	double call_ns, op_ns;
	char text[32];

	wrappers_cost(t, &call_ns, &op_ns);
	snprintf(text, sizeof(text), "%.1f", call_ns);
	record_key(t, "call_cost_ns", text);
	snprintf(text, sizeof(text), "%.1f", op_ns);
	record_key(t, "op_cost_ns", text);
}

static void in_child(void)
{
	shim.recording = false;
	shim.tracking = false;
	shim.started = false;
	sample_forget(thread_self);
	thread_self = NULL;
	sync_forget();
	ring_forget();
}

static int start_tables(struct thread *t)
{
	char why[256] = "";

	callsite_start((unsigned)shim.settings.stack_depth, shim.settings.libunwind,
		emit_definition, NULL, why, sizeof(why));
	if (why[0] && shim.settings.libunwind && shim.rank == 0)
		shim_say("%s; callsites are the calling line alone", why);
	else if (why[0])
		shim_say_verbose("%s; callsites are the calling line alone", why);
	/* MPI_Init has opened plugins since modules were last listed. */
	module_refresh();
	thread_start_callsites(t);
	emit_run(t, why);
	return comm_start(t) != 0 || request_start(t) != 0 ? -1 : 0;
}

/* Ranks of this world on this host. */
static int ranks_here(void)
{
	int n = 0;

	for (int i = 0; i < shim.nranks; i++)
		n += (shim.peer[i] & PEER_LINK) < TIER_NETWORK;
	return n;
}

static void start_run(unsigned fn, void *return_address, void *frame, uint64_t init_ns)
{
	uint64_t begin_ns = init_now_ns();
	struct host_tree hosts = { .parent = -1 };
	int level = MPI_THREAD_MULTIPLE;
	bool known, ready;
	uint32_t calls[FN_COUNT];
	uint64_t zero_ticks;
	struct thread *t;

	start.own = start.parent = H(MPI_COMM_NULL);
	pnext.MPI_Comm_rank(comm_all, &shim.rank);
	pnext.MPI_Comm_size(comm_all, &shim.nranks);
	if (!init_sessions.started) {
		pnext.MPI_Query_thread(&level);
		pnext.MPI_Comm_get_parent(&start.parent);
	}
	shim.threaded = level == MPI_THREAD_MULTIPLE;
	read_settings();
	if (!clock_inject(shim.settings.clock_error))
		shim_say("TRYST_CLOCK_ERROR=%s is no SECONDS[:PPM]", shim.settings.clock_error);
	if (!clock_start(shim.settings.clock) && shim.rank == 0)
		shim_say("the TSC is not this machine's clock; CLOCK_MONOTONIC is used");
	meet_all(true);
	if (choose_directory() != 0)
		return;
	say_strange_launcher();
	/*
	 * For sessions of one process MPICH 4.0 opens no device, so its requests cannot be
	 * examined.
	 */
	if (shim.settings.calibrate != CALIBRATE_OFF &&
		!(init_sessions.started && shim.nranks == 1) &&
		pnext.MPI_Comm_dup(comm_all, &start.own) == MPI_SUCCESS)
		pnext.MPI_Comm_set_errhandler(start.own, H(MPI_ERRORS_RETURN));
	if (make_files() != 0)
		ring_file = NULL;
	shim.recording = ring_file != NULL; /* before thread_start(), which reads it */
	t = shim.recording ? thread_start() : NULL;
	shim.recording = false;
	if (!t && ring_file)
		ring_abandon();
	if (t)
		emit_clock(t, 0);
	known = params_start(start.own, &start.say, &hosts) == 0;
	agree_on_rate();
	sync_start(start.own, &hosts);
	ready = known && t && start_tables(t) == 0;
	if (ready) {
		pthread_atfork(NULL, NULL, in_child);
		emit_parent(t);
		params_emit(t);
		emit_clock(t, 1);
		count_init_call(t, fn, return_address, frame, init_ns);
		if (call_outside_take(calls))
			call_outside_keep(t, calls);
		if (shim.settings.started)
			mark_move(shim.settings.started, shim.dir);
		shim.recording = true;
		sample_start(t, ranks_here());
		emit_cost(t);
	}
	/* Ranks meet again: otherwise the program's first messages would wait for the slowest
	 * start. */
	meet_all(false);
	zero_ticks = sync_zero();
	if (t && !ready) {
		shim_say("out of memory in MPI_Init; nothing is recorded on rank %d", shim.rank);
		shim_note("it was out of memory in MPI_Init");
		ring_abandon();
	}
	if (!ready)
		return;
	ring_file->zero_ticks = zero_ticks;
	sync_emit(t);
	record_key_number(t, "init_overhead_ns", (int64_t)(init_now_ns() - begin_ns));
	shim.started = true;
	shim.tracking = true;
	cpu_start();
	phase_start(t);
}

void init_start(unsigned fn, void *return_address, void *frame, uint64_t init_ns)
{
	struct isolate guest;

	if (shim.started)
		return;
	comm_all = H(MPI_COMM_WORLD);
	isolate_enter(&guest);
	start_run(fn, return_address, frame, init_ns);
	isolate_leave(&guest);
}

#ifdef HAVE_MPI_Session_init
/* Open sessions. Those beyond this number are only counted. */
enum { SESSIONS_KNOWN = 16 };
static struct {
	MPI_Session session[SESSIONS_KNOWN];
	int n;
	pthread_mutex_t lock;
} known_sessions = { .lock = PTHREAD_MUTEX_INITIALIZER };

void init_session_opened(MPI_Session session)
{
	struct isolate guest;

	isolate_enter_locked(&guest);
	pthread_mutex_lock(&known_sessions.lock);
	init_sessions.open++;
	if (known_sessions.n < SESSIONS_KNOWN)
		known_sessions.session[known_sessions.n++] = session;
	pthread_mutex_unlock(&known_sessions.lock);
	isolate_leave(&guest);
}

void init_session_closed(MPI_Session session)
{
	struct isolate guest;

	isolate_enter_locked(&guest);
	pthread_mutex_lock(&known_sessions.lock);
	init_sessions.open--;
	for (int i = 0; i < known_sessions.n; i++)
		if (known_sessions.session[i] == session)
			known_sessions.session[i] = known_sessions.session[--known_sessions.n];
	pthread_mutex_unlock(&known_sessions.lock);
	isolate_leave(&guest);
}

/*
 * Does the group hold all processes? It is compared with the group of the set mpi://WORLD, so that
 * all ranks decide alike. MPI_Session_get_pset_info would be shorter, but it fails in Open MPI 6.0,
 * which ends a program whose errors are fatal.
 */
static bool has_all(MPI_Comm comm)
{
	MPI_Group all;
	int all_size = -1, size = 0;

	if (known_sessions.n == 0 ||
		pnext.MPI_Group_from_session_pset(known_sessions.session[0], "mpi://WORLD", &all) !=
			MPI_SUCCESS)
		return false;
	pnext.MPI_Group_size(all, &all_size);
	pnext.MPI_Group_free(&all);
	pnext.MPI_Comm_size(comm, &size);
	return all_size == size;
}

void init_session_start(unsigned fn, void *return_address, void *frame, uint64_t ns, MPI_Comm made)
{
	struct isolate guest;
	struct thread *t;

	if (shim.started || init_sessions.tried)
		return;
	init_sessions.missed = true;
	if (!has_all(made))
		return;
	init_sessions.tried = true;
	if (pnext.MPI_Comm_dup(made, &comm_all) != MPI_SUCCESS)
		return;
	init_sessions.started = true;
	isolate_enter(&guest);
	start_run(fn, return_address, frame, ns);
	isolate_leave(&guest);
	init_sessions.started = shim.started;
	t = thread_self;
	if (shim.started && t)
		comm_made(t, fn, NULL, made);
}

void init_session_release(void)
{
	if (start.own != H(MPI_COMM_NULL))
		pnext.MPI_Comm_free(&start.own);
	pnext.MPI_Comm_free(&comm_all);
}

void init_session_unrecorded(void)
{
	static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
		"SLURM_PROCID" };

	if (shim.started || init_sessions.tried || !init_sessions.missed)
		return;
	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
		const char *rank = getenv(ranks[i]);

		shim.rank = rank ? atoi(rank) : 0;
		if (rank)
			break;
	}
	start.parent = H(MPI_COMM_NULL);
	read_settings();
	if (shim.rank == 0)
		shim_say("nothing is recorded: the program made no communicator of all processes "
			 "from its sessions");
}
#endif

static void before_finalize(unsigned fn, void *return_address, void *frame)
{
	uint64_t begin_ns;
	struct thread *t;

	if (!shim.started) {
		sync_end(NULL);
		return;
	}
	if (!shim.recording) {
		/* switched off by MPI_Pcontrol: the files must still be ended */
		phase_finish();
		shim.recording = true;
	}
	start.finalize_counts = call_begin(&start.finalize, fn, ENTRY_MPI, return_address, frame);
	t = thread_self;
	if (t)
		sample_look(t, start.finalize.site);
	shim.recording = false;
	shim.tracking = false;
	cpu_end();
	if (t)
		emit_clock(t, 2);
	begin_ns = init_now_ns();
	sync_end(t);
	if (t)
		record_key_number(t, "finalize_overhead_ns", (int64_t)(init_now_ns() - begin_ns));
	sample_resume();
	if (start.finalize_counts)
		call_enter(&start.finalize);
}

void init_finalize_before(unsigned fn, void *return_address, void *frame)
{
	struct isolate guest;

	isolate_enter(&guest);
	before_finalize(fn, return_address, frame);
	isolate_leave(&guest);
}

/* Keys of table run that are only known at the end. */
static void emit_end(struct thread *t)
{
	struct callsite_stats stats;
	uint64_t tool = 0;

	observe_emit(t);
	callsite_stats_get(&stats);
	for (struct thread *other = thread_list; other; other = other->next)
		tool += other->region->tool_ticks;
	record_key_number(t, "overhead_spool_ns", clock_ns(tool));
	if (calls_left())
		record_key_number(t, "calls_left", calls_left());
	cpu_emit_times(t);
	sample_emit(t);
	record_key_number(t, "callsites_unwound", (int64_t)stats.unwinds);
	if (stats.traced_sites)
		record_key_number(t, "callsites_not_cached", (int64_t)stats.traced_sites);
	if (stats.flat_sites)
		record_key_number(t, "callsites_degraded", (int64_t)stats.flat_sites);
	if (stats.cut_sites)
		record_key_number(t, "callsites_cut", (int64_t)stats.cut_sites);
	if (stats.other_stacks)
		record_key_number(t, "callsites_without_id", (int64_t)stats.other_stacks);
}

/* True if the directory is gone or another one has its name. */
static bool directory_left(void)
{
	const struct stat *made = &start.rank_dir_made;
	struct stat now;

	return stat(start.rank_dir, &now) != 0 || now.st_dev != made->st_dev ||
		now.st_ino != made->st_ino;
}

/* All ranks of a host lose their directory together: the lowest one prints it. */
static void say_place(enum ring_place place)
{
	const bool left = directory_left();

	for (int i = 0; left && i < shim.rank; i++)
		if ((shim.peer[i] & PEER_LINK) < TIER_NETWORK)
			return;
	if (place == RING_MOVED)
		shim_say("'%s' was moved while the program ran: 'tryst collect' makes rows where "
			 "it is now",
			start.rank_dir);
	else
		shim_say("the files in '%s' were removed while the program ran: what they held is "
			 "lost",
			start.rank_dir);
}

static void end_run(void)
{
	struct rows_options options = { .own = true };
	struct thread *t = thread_self;
	enum ring_place place;

	if (!shim.started)
		return;
	if (start.finalize_counts) {
		call_leave(&start.finalize);
		call_end(&start.finalize, CALL_PROGRESS);
		if (t)
			record_key_number(t, "finalize_ticks", (int64_t)start.finalize.enter);
	}
	thread_stop();
	if (t)
		emit_end(t);
	for (struct thread *each = thread_list; each; each = each->next)
		ring_keep_budget(each);
	place = ring_place();
	ring_close(RING_CLOSED);
	if (place != RING_IN_PLACE)
		say_place(place);
	else if (shim.settings.rows == ROWS_FINALIZE)
		start.has_rows =
			rows_write(start.rank_dir, shim.rank, &options, NULL, &start.say) == 0;
	if (shim.rank == 0)
		shim_say_verbose("records are in '%s'", shim.dir);
	start.ended = getpid();
	call_outside_begin();
}

/*
 * Writing rows takes some ten KiB of stack. exit() may be called with less: in a thread, or by a
 * signal handler on a stack of its own.
 */
static bool has_stack(void)
{
	stack_t alternate = { .ss_flags = 0 };

	return gettid() == getpid() &&
		(sigaltstack(NULL, &alternate) != 0 || !(alternate.ss_flags & SS_ONSTACK));
}

/*
 * Keeps calls after MPI_Finalize, for example MPI_Finalized. A child of fork() has the same counts,
 * and leaves them to its parent.
 */
__attribute__((destructor)) static void keep_last_calls(void)
{
	uint32_t calls[FN_COUNT];
	struct isolate guest;

	int rc = 0;

	if (start.ended != getpid() || !has_stack())
		return;
	isolate_enter(&guest);
	call_outside_end();
	if (call_outside_take(calls)) {
		if (start.has_rows)
			rc = rows_add_calls(start.rank_dir, shim.rank, shim.run_id, calls);
		else if (thread_list)
			call_outside_keep(thread_list, calls);
	}
	if (rc)
		shim_say_verbose("calls after MPI_Finalize are not counted: %s", strerror(-rc));
	isolate_leave(&guest);
}

void init_finalize_after(void)
{
	struct isolate guest;

	isolate_enter(&guest);
	end_run();
	isolate_leave(&guest);
}
