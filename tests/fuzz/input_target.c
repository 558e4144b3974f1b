/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input_target.c: texts and small files of any content, for all that reads what users, launchers,
 * kernels and compilers write. The first byte of an input is the letter of the reader (below), the
 * rest is what it reads. Most look at a text up to its first NUL.
 */
#include "tests/fuzz/target.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/sql_functions.h"
#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"
#include "analysis/doctor/doctor.h"
#include "analysis/modelling/input.h"
#include "analysis/doctor/program.h"
#include "analysis/pack/pack.h"
#include "analysis/mapping/hosts.h"
#include "analysis/report/report.h"
#include "analysis/dataset/started.h"
#include "analysis/format/db/db.h"
#include "analysis/format/run/launcher.h"
#include "analysis/format/links/cache.h"
#include "analysis/format/run/mark.h"
#include "analysis/format/run/proc.h"
#include "analysis/format/run/process.h"
#include "analysis/format/rows/rows.h"
#include "analysis/format/run/run_dir.h"
#include "analysis/format/run/settings.h"
#include "analysis/format/run/world_note.h"
#include "analysis/symbols/symbols.h"
#include "pmpi/callsite/cfi.h"
#include "pmpi/record/clock.h"
#include "pmpi/calibrate/options.h"
#include "pmpi/calibrate/plan.h"
#include "pmpi/callsite/module.h"
#include "tests/unit/scratch.h"

enum { LINES_MAX = 64, OPTIONS_ROOM = 4096, RANKS = 8, LONGEST = 4 << 20 };

static char dir[PATH_MAX];
static FILE *nowhere, *real_stderr;
static struct symbols *symbols;
static sqlite3 *functions; /* a database with the reports' functions, nothing in it */
static sqlite3_stmt *texts;
static struct ring_file *self; /* what this process would say of itself */

struct input_text {
	char *all; /* ends with NUL */
	size_t bytes;
};

/* The lines, which replaces their ends by NUL. */
static int lines_of(struct input_text t, char **line)
{
	char *rest;
	int n = 0;

	for (char *at = strtok_r(t.all, "\n", &rest); at && n < LINES_MAX;
		at = strtok_r(NULL, "\n", &rest))
		line[n++] = at;
	line[n] = NULL;
	return n;
}

/* What must not be. */
static void never(bool wrong)
{
	if (wrong)
		abort();
}

/* ---- what users write ---- */

static int read_pattern(struct input_text t)
{
	const char *path = scratch_path(dir, "pattern");
	struct flow *flow;
	size_t n;
	int rc;

	scratch_write(path, t.all, t.bytes);
	rc = model_pattern_read(path, &flow, &n);
	never(rc == 0 && n == 0);
	for (size_t i = 0; rc == 0 && i < n; i++)
		never(flow[i].from < 0 || flow[i].to < 0 || !(flow[i].start_ns >= 0) ||
			flow[i].bytes > 1ull << 50);
	free(flow);
	return rc == 0;
}

/* An archive of tryst pack. run_target.c covers the run.db in it. */
static int read_archive(struct input_text t)
{
	const char *path = scratch_path(dir, "archive.gz"), *to = scratch_path(dir, "unpacked");
	struct stat st;
	int rc;

	scratch_write(path, t.all, t.bytes);
	unlink(to);
	rc = pack_is_archive(path) ? pack_read(path, to, NULL) : -EINVAL;
	never((lstat(to, &st) == 0) != (rc == 0));
	unlink(to);
	return rc == 0;
}

/* Hosts of eight ranks, for tryst predict --map. */
static int read_hosts(struct input_text t)
{
	const char *path = scratch_path(dir, "map");
	struct replay_rank rank[RANKS] = { { 0 } };
	const struct replay_graph g = { .rank = rank, .nranks = RANKS };
	struct replay_hosts h = { .was = calloc(RANKS, sizeof(*h.was)),
		.is = calloc(RANKS, sizeof(*h.is)) };
	int rc = -ENOMEM;

	for (int i = 0; i < RANKS; i++)
		rank[i].rank = i;
	scratch_write(path, t.all, t.bytes);
	if (h.was && h.is)
		rc = replay_hosts_file(&g, path, &h, NULL);
	for (int i = 0; rc == 0 && i < RANKS; i++)
		never(h.n && h.is[i] >= h.n);
	replay_hosts_release(&h);
	return rc == 0;
}

/* Words on the command line of `tryst model` and `tryst calibrate`, one a line. */
static int read_words(struct input_text t)
{
	uint64_t host[RANKS] = { 0, 0, 2, 2, 4, 4, 6, 7 };
	uint32_t processors[RANKS] = { 2, 2, 2, 2, 1, 1, 8, 8 };
	char *line[LINES_MAX + 1];
	int n = lines_of(t, line), any = 0;

	for (int i = 0; i < n; i++) {
		struct plan_of_ranks plan = {
			.nranks = RANKS, .host = host, .processors = processors
		};
		const char *list = line[i];
		double ns = model_time_of(line[i]);
		int *node, ranks, rc;
		int64_t bytes = 0;

		never(!isnan(ns) && !(ns >= 0 && ns < 1e18));
		while (*list && bytes >= 0) {
			bytes = model_next_bytes(&list);
			never(bytes > 1ll << 50);
		}
		rc = model_map_read(line[i], &node, &ranks);
		for (int r = 0; rc == 0 && r < ranks; r++)
			never(node[r] < 0);
		free(node);
		any |= rc == 0 || bytes > 0 || !isnan(ns);
		rc = plan_list(&plan, line[i]);
		for (int k = 0; k < plan.n; k++)
			never(plan.at[k].from < 0 || plan.at[k].from >= RANKS ||
				plan.at[k].to < 0 || plan.at[k].to >= RANKS ||
				plan_tier(&plan, k) > 2);
		any |= rc == 0;
		plan_release(&plan);
	}
	return any;
}

/* A subcommand, then its arguments, one a line. */
static int read_options(struct input_text t)
{
	static _Alignas(16) char values[OPTIONS_ROOM];
	char *line[LINES_MAX + 1];
	int n = lines_of(t, line), noperands = 0, help;
	const struct subcommand *cmd = n > 0 ? subcommand_find(line[0]) : NULL;

	if (n > 0)
		subcommand_suggest(line[0]);
	if (!cmd || cmd->options_size > sizeof(values))
		return cmd ? -1 : 0;
	if (options_read(cmd, n, line, values, &noperands, &help) != CMD_OK)
		return 0;
	never(!help && noperands >= n);
	return 1;
}

/* A file of options: tryst predict --scenario. */
static int read_options_file(struct input_text t)
{
	static _Alignas(16) char values[OPTIONS_ROOM];
	const struct subcommand *cmd = subcommand_find("predict");
	const char *path = scratch_path(dir, "options");
	FILE *out = fopen(path, "we");
	char *held = NULL;
	int rc;

	if (!cmd || !out || fwrite(t.all, 1, t.bytes, out) != t.bytes || fclose(out) != 0)
		return -1;
	memset(values, 0, sizeof(values));
	rc = options_file(cmd, path, values, &held);
	free(held);
	return rc == CMD_OK;
}

/* What the command hands to the measuring program, one a line. */
static int read_measure_options(struct input_text t)
{
	char *line[LINES_MAX + 1];
	struct full_options o;

	if (full_options_read(&o, lines_of(t, line), line, LONGEST) != 0)
		return 0;
	never(o.nsizes > FULL_SIZES_MAX || o.max_bytes > LONGEST);
	for (size_t i = 0; i < o.nsizes; i++)
		never(o.sizes[i] > LONGEST);
	return 1;
}

/* The names of sections, for --sections. */
static int read_sections(struct input_text t)
{
	const struct report_layout layout = {
		.format = TABLE_TEXT, .columns = 100, .top = 5, .sections = t.all
	};
	const char *unknown;

	return report_print(nowhere, functions, report_sections, &layout, &unknown) != -EINVAL;
}

/* Texts that reports take out of a run's tables. */
static int read_columns(struct input_text t)
{
	for (int i = 1; i <= sqlite3_bind_parameter_count(texts); i++)
		sqlite3_bind_text(texts, i, t.all, -1, SQLITE_STATIC);
	while (sqlite3_step(texts) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(texts); i++)
			sqlite3_column_text(texts, i);
	return sqlite3_reset(texts) == SQLITE_OK;
}

/* ---- variables ---- */

static int read_settings(struct input_text t)
{
	char *line[LINES_MAX + 1], shown[64];
	struct say_list said;
	struct settings s;
	int lines, rc;

	lines_of(t, line);
	say_list_init(&said);
	settings_init(&s);
	rc = settings_load(&s, line, &said.say);
	lines = scratch_lines(&said);
	never(rc > 0 && lines == 0);
	for (size_t i = 0; i < settings_count; i++)
		setting_print(&s, &settings_table[i], shown, sizeof(shown));
	never(s.max_ops < 0 || s.stack_depth < 0 || s.stack_depth > 64);
	clock_inject(s.clock_error);
	never(llabs(shim_clock.injected_ns) > 131072000000000 ||
		llabs(shim_clock.injected_ppb) > 10000000);
	settings_release(&s);
	return rc == 0;
}

/* Of launchers, batch systems, shells: NAME=VALUE a line; what is no such name is left out. */
static const char *const variables[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
	"SLURM_PROCID", "FLUX_TASK_RANK", "PALS_RANKID", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
	"SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID", "SLURM_STEP_ID", "PBS_JOBID", "LSB_JOBID",
	"FLUX_JOB_ID", "PMIX_NAMESPACE", "PMI_JOBID", "HYDRA_JOBID", "COLUMNS", "HOME",
	"XDG_CACHE_HOME", "PATH", "TRYST_DIR", NULL };

static bool is_plain(const char *name)
{
	while (isalnum((unsigned char)*name) || (*name && strchr("._-", *name)))
		name++;
	return !*name;
}

static void use_variables(void)
{
	static const struct link_key key = { "cpu", "x" };
	const struct links_cache cache = { .keys = &key, .nkeys = 1 };
	const char *program = getenv("TRYST_DIR");
	char name[128], path[PATH_MAX], why[64];

	never(launcher_size() != launcher_size() || launcher_rank() != launcher_rank());
	never(run_job_name(name, sizeof(name)) && (!is_plain(name) || name[0] == '.'));
	run_dir_default(path, sizeof(path), program);
	never(!is_plain(path) || strncmp(path, "tryst-", 6) != 0);
	never(links_cache_path(&cache, 1, path, sizeof(path)) == 0 && !links_cache_names(path));
	program_explain("sh", program_find("sh", path, sizeof(path)), why, sizeof(why));
	never(terminal_columns(nowhere) < 40 || terminal_columns(nowhere) > 250);
}

static int read_variables(struct input_text t)
{
	char *line[LINES_MAX + 1], *kept[sizeof(variables) / sizeof(*variables)];
	int n = lines_of(t, line), set = 0;

	for (size_t i = 0; variables[i]; i++) {
		const char *value = getenv(variables[i]);

		kept[i] = value ? strdup(value) : NULL;
		unsetenv(variables[i]);
	}
	for (int k = 0; k < n; k++) {
		char *equals = strchr(line[k], '=');

		if (equals)
			*equals = '\0';
		for (size_t i = 0; equals && variables[i]; i++)
			if (strcmp(line[k], variables[i]) == 0)
				set += setenv(variables[i], equals + 1, 1) == 0;
	}
	use_variables();
	for (size_t i = 0; variables[i]; i++) {
		if (kept[i])
			setenv(variables[i], kept[i], 1);
		else
			unsetenv(variables[i]);
		free(kept[i]);
	}
	return set > 0;
}

/* ---- what the kernel and other programs print ---- */

static int read_proc(struct input_text t)
{
	FILE *f = t.bytes ? fmemopen(t.all, t.bytes, "r") : NULL;
	struct proc_stat stat;
	struct proc_cpu cpu;
	char name[256], *line[LINES_MAX + 1];
	int any, n;

	if (f) {
		proc_cpu_name(f, name, sizeof(name));
		fclose(f);
	}
	any = proc_stat_read(t.all, &stat);
	any |= proc_cpu_read(t.all, &cpu);
	never(cpu.ran_ns < 0 || cpu.waited_ns < 0);
	any |= proc_timens_read(t.all) != 0;
	n = lines_of(t, line);
	for (int i = 0; i < n; i++) {
		const char *file = proc_maps_file(line[i], 0x7f0000001000);

		never(file && *file != '/');
		any |= file != NULL;
	}
	return any;
}

/* ompi_info, mpichversion, the loader's --list. */
static int read_output(struct input_text t)
{
	char value[64];

	doctor_value_of(t.all, "MPICH Version:", value, sizeof(value));
	doctor_value_of(t.all, "btl_sm_eager_limit:value:", value, sizeof(value));
	return doctor_find_library(t.all, "libmpi.so", value, sizeof(value));
}

/* ---- files of a run ---- */

/* A process's mark of this host and boot, where it says nothing else. */
static void write_mark(const char *path, struct input_text t)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return;
	fprintf(f, "boot_id=%s\nhost=%s\n", self->boot_id, self->host);
	fwrite(t.all, 1, t.bytes, f);
	fclose(f);
}

/* One that was seen in MPI_Init, and one that was not. */
static int read_mark(struct input_text t)
{
	static const char *const folders[] = { "run", "run/started", "run.started",
		"run.started/job" };
	char seen[PATH_MAX], unseen[PATH_MAX];
	sqlite3 *db = NULL;
	struct mark mark;
	int rc = 0;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		mkdir(scratch_path(dir, folders[i]), 0777);
	snprintf(seen, sizeof(seen), "%s", scratch_path(dir, "run/started/seen"));
	snprintf(unseen, sizeof(unseen), "%s", scratch_path(dir, "run.started/job/unseen"));
	write_mark(seen, t);
	write_mark(unseen, t);
	mark_read(seen, &mark);
	never(!started_any(scratch_path(dir, "run")));
	if (sqlite3_open(":memory:", &db) == SQLITE_OK &&
		sqlite3_exec(db, "CREATE TABLE run (rank, key, value)", NULL, NULL, NULL) ==
			SQLITE_OK)
		rc = started_list(db, scratch_path(dir, "run"), true);
	never(rc != 0 || scratch_sql(db, "SELECT count(*) FROM started WHERE loaded") != 1);
	sqlite3_close(db);
	unlink(seen);
	unlink(unseen);
	return mark.pid != 0;
}

/* The claim of a directory, and the note of a spawned world behind it. */
static int read_claim(struct input_text t)
{
	const char *path = scratch_path(dir, RUN_CLAIM_FILE);
	uint64_t run_id, key;
	int world, parent, any, *ranks;
	char *settings;

	scratch_write(path, t.all, t.bytes);
	any = run_dir_id(dir, &run_id) == 0;
	any |= world_note_spawn(dir, &key, &world, &parent);
	settings = world_note_settings(dir);
	never(!settings);
	ranks = world_note_ranks(dir, 7);
	any |= ranks || *settings;
	free(ranks);
	free(settings);
	unlink(path);
	return any;
}

/* A file of that name in a run's directory. */
static int read_name(struct input_text t)
{
	const char *folder = scratch_path(dir, "names"), *path = scratch_path(folder, t.all);
	struct db_ranks list;
	int any;

	module_kind_of_path(t.all);
	any = links_cache_names(t.all) || run_rank_of_name(t.all, "db") >= 0;
	if (strchr(t.all, '/') || !*t.all || strlen(t.all) > NAME_MAX ||
		strspn(t.all, ".") == strlen(t.all))
		return any;
	mkdir(folder, 0777);
	scratch_write(path, "", 0);
	if (db_ranks_list(folder, &list, NULL) == 0) {
		any |= list.nranks > 0;
		db_ranks_release(&list);
	}
	rows_sweep(folder);
	unlink(path);
	return any;
}

/* ---- programs ---- */

/* A program's file: would preloading reach it, which loader has it, which names and lines. */
static int read_program(struct input_text t)
{
	/* of calls in the corpus, and nonsense */
	static const uint64_t offsets[] = { 0x2d9, 0x2f4, 0x2ff, 0x1412, 0x143e, 0x1455, 0,
		UINT64_MAX / 2 };
	static unsigned number;
	char name[32], path[PATH_MAX], why[256], loader[64];
	struct symbol s;
	int any;

	snprintf(name, sizeof(name), "program-%u", number++ % 64);
	snprintf(path, sizeof(path), "%s", scratch_path(dir, name));
	scratch_write(path, t.all, t.bytes);
	chmod(path, 0755);
	program_look(path, why, sizeof(why));
	any = program_loader(path, loader, sizeof(loader)) == 0;
	if (t.bytes > 4 && memcmp(t.all, "\177ELF", 4) == 0)
		for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
			symbols_resolve(symbols, path, "", offsets[i], &s);
			never(s.state == SYMBOL_LINE && (!s.file || s.line <= 0));
			any |= s.state == SYMBOL_LINE;
		}
	unlink(path); /* stays mapped */
	return any;
}

/* Notes of a loaded segment; the alignment, 4 or 8, comes first. */
static int read_notes(struct input_text t)
{
	uint8_t id[MODULE_BUILD_ID_BYTES], *note;
	unsigned n;

	if (t.bytes < 1)
		return -1;
	note = malloc(t.bytes);
	memcpy(note, t.all + 1, t.bytes - 1);
	n = module_note_build_id(note, t.bytes - 1, t.all[0] == '8' ? 8 : 4, id, sizeof(id));
	free(note);
	never(n > sizeof(id));
	return n > 0;
}

/*
 * .eh_frame_hdr, its bytes as a number first, with .eh_frame behind; all of its code is asked for.
 */
static int read_frames(struct input_text t)
{
	struct module_frames frames;
	uint16_t table_bytes;
	uint8_t *loaded;
	int known = 0;

	if (t.bytes < sizeof(table_bytes) + 12)
		return -1;
	memcpy(&table_bytes, t.all, sizeof(table_bytes));
	t.bytes -= sizeof(table_bytes);
	if (table_bytes > t.bytes)
		return -1;
	loaded = malloc(t.bytes);
	memcpy(loaded, t.all + sizeof(table_bytes), t.bytes);
	frames.begin = (uint64_t)(uintptr_t)loaded;
	frames.end = frames.begin + t.bytes;
	frames.table = frames.begin;
	frames.table_bytes = table_bytes;
	for (int at = -0x200; at < 0x200; at += 3)
		known |= cfa_rule_in(&frames, loaded + at).kind != CFA_UNKNOWN;
	free(loaded);
	return known;
}

static const struct reader {
	char letter;
	int (*read)(struct input_text t);
} readers[] = {
	{ 'p', read_pattern },
	{ 'z', read_archive },
	{ 'h', read_hosts },
	{ 'w', read_words },
	{ 'o', read_options },
	{ 'F', read_options_file },
	{ 'm', read_measure_options },
	{ 's', read_sections },
	{ 'c', read_columns },
	{ 'S', read_settings },
	{ 'v', read_variables },
	{ 'k', read_proc },
	{ 'd', read_output },
	{ 'M', read_mark },
	{ 'C', read_claim },
	{ 'n', read_name },
	{ 'e', read_program },
	{ 'b', read_notes },
	{ 'f', read_frames },
};

int target_begin(void)
{
	scratch_make(dir);
	nowhere = fopen("/dev/null", "we");
	symbols = symbols_new();
	self = calloc(1, sizeof(*self));
	if (!nowhere || !symbols || !self || sqlite3_open(":memory:", &functions) != SQLITE_OK ||
		sql_functions_add(functions) != 0 ||
		sqlite3_prepare_v2(functions,
			"SELECT cpu_count(?), short_file(?), duration(?),"
			" size(?), link_key(?, ?, ?), rank_list(?), helps(?), is_collective(?), "
			"is_query(?), is_polling(?), is_other(?)",
			-1, &texts, NULL) != SQLITE_OK)
		return -1;
	process_identify(self);
	/* what readers say of each input; who checks memory writes to the descriptor */
	real_stderr = stderr;
	stderr = nowhere;
	return 0;
}

void target_end(void)
{
	stderr = real_stderr;
	sqlite3_finalize(texts);
	sqlite3_close(functions);
	symbols_free(symbols);
	free(self);
	fclose(nowhere);
	scratch_remove(dir);
}

int target_run(const uint8_t *data, size_t size)
{
	int rc = -1;

	for (size_t i = 0; size > 0 && i < sizeof(readers) / sizeof(*readers); i++)
		if (readers[i].letter == (char)data[0]) {
			struct input_text t = { malloc(size), size - 1 };

			memcpy(t.all, data + 1, size - 1);
			t.all[size - 1] = '\0';
			rc = readers[i].read(t);
			free(t.all);
		}
	return rc;
}
