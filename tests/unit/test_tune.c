/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tune.c: commands are cut at the program, and differences are judged by their intervals. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/tune/candidates.h"
#include "analysis/tune/judge.h"
#include "analysis/tune/launch.h"
#include "record.h"

static void the_program_stands_behind_the_launchers_options(void)
{
	static const char *const plain[] = { "mpirun", "-n", "4", "sh", "-c", "true", NULL };
	static const char *const many[] = { "mpirun", "--map-by", "env", "-x", "PATH", "--mca",
		"btl", "tcp,self", "--bind-to", "core", "env", "A=1", "sh", NULL };
	static const char *const none[] = { "mpirun", "-n", "4", NULL };
	struct launch l;

	CU_ASSERT(launch_find(plain, &l));
	CU_ASSERT_EQUAL(l.program, 3);
	CU_ASSERT(launch_find(many, &l));
	CU_ASSERT_EQUAL(l.program, 10);
	CU_ASSERT_FALSE(launch_find(none, &l));
}

/* What the launcher, echo, is given. */
static bool runs_as(const struct launch *l, const struct launch_way *way, const char *wanted)
{
	char line[256] = "";
	double seconds;
	FILE *f;

	unlink(way->output);
	CU_ASSERT_EQUAL(launch_run(l, way, &seconds), 0);
	f = fopen(way->output, "r");
	CU_ASSERT_FATAL(f != NULL);
	CU_ASSERT(fgets(line, sizeof(line), f) != NULL);
	fclose(f);
	line[strcspn(line, "\n")] = 0;
	return strcmp(line, wanted) == 0;
}

static void each_program_of_a_command_is_treated_alike(void)
{
	static const char *const two[] = { "echo", "-np", "1", "sh", "x", ":", "-np", "2", "env",
		"y", NULL };
	static const char *const none[] = { "mpirun", "-n", "1", "sh", ":", "-n", "2", NULL };
	static const char *const before[] = { "tryst", "run", NULL };
	char output[64];
	struct launch l;

	snprintf(output, sizeof(output), "test_tune-%d", (int)getpid());
	CU_ASSERT_FALSE(launch_find(none, &l));
	CU_ASSERT_FATAL(launch_find(two, &l));
	CU_ASSERT_EQUAL(l.program, 3);
	CU_ASSERT(
		runs_as(&l, &(struct launch_way){ .output = output }, "-np 1 sh x : -np 2 env y"));
	CU_ASSERT(runs_as(&l, &(struct launch_way){ .output = output, .before = before },
		"-np 1 tryst run sh x : -np 2 tryst run env y"));
	CU_ASSERT(runs_as(&l,
		&(struct launch_way){ .output = output, .before = before, .without_program = true },
		"-np 1 tryst run : -np 2 tryst run"));
	unlink(output);
}

/* Does a child of the process sleep in a process group of its own? */
static bool child_sleeps(pid_t parent)
{
	DIR *proc = opendir("/proc");
	bool sleeps = false;

	CU_ASSERT_FATAL(proc != NULL);
	for (struct dirent *e; !sleeps && (e = readdir(proc));) {
		char path[300], state;
		int pid, its_parent, group;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		f = *e->d_name >= '1' && *e->d_name <= '9' ? fopen(path, "r") : NULL;
		if (!f)
			continue;
		sleeps =
			fscanf(f, "%d (%*[^)]) %c %d %d", &pid, &state, &its_parent, &group) == 4 &&
			its_parent == parent && group == pid && state == 'S';
		fclose(f);
	}
	closedir(proc);
	return sleeps;
}

/* The command's output is a pipe that nobody reads, so its process sleeps before execvp(). */
static void a_signal_ends_a_command_that_just_starts(void)
{
	static const char *const argv[] = { "mpirun", "sh", NULL };
	char output[64];
	struct launch l;
	pid_t tuner;
	int status = 0;

	snprintf(output, sizeof(output), "test_tune-%d", (int)getpid());
	CU_ASSERT_EQUAL_FATAL(mkfifo(output, 0600), 0);
	CU_ASSERT_FATAL(launch_find(argv, &l));
	tuner = fork();
	if (tuner == 0) {
		double seconds;

		launch_watch();
		_exit(launch_run(&l, &(struct launch_way){ .output = output }, &seconds));
	}
	CU_ASSERT_FATAL(tuner > 0);
	while (!child_sleeps(tuner))
		usleep(10000);
	kill(tuner, SIGTERM);
	CU_ASSERT_EQUAL(waitpid(tuner, &status, 0), tuner);
	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 128 + SIGTERM);
	unlink(output);
}

static void an_option_stands_behind_the_launcher(void)
{
	static const char *const argv[] = { "env", "A=b c", "mpiexec.hydra", "-n", "2", "sh", "-n",
		NULL };
	static const char *const other[] = { "sh", "-c", "true", "mpirun", NULL };
	struct launch l;
	struct text line = { 0 };

	CU_ASSERT_FATAL(launch_find(argv, &l));
	CU_ASSERT_EQUAL(l.program, 5);
	CU_ASSERT_EQUAL(l.launcher, 2);
	launch_line(&l, "-ppn=1", &line);
	CU_ASSERT_STRING_EQUAL(line.at, "env 'A=b c' mpiexec.hydra -ppn=1 -n 2 sh -n");
	text_release(&line);
	CU_ASSERT_FALSE(launch_find(other, &l));
}

static void settings_that_the_command_overrides_are_no_candidates(void)
{
	static const char *const bare[] = { "mpirun", "-n", "2", "sh", "--map-by", NULL };
	static const char *const placed[] = { "mpirun", "-n", "1", "sh", ":", "--map-by", "slot",
		"--bind-to", "none", "--mca", "btl_tcp_eager_limit", "9000", "sh", NULL };
	static const char *const hydra[] = { "mpiexec", "-ppn", "2", "-genv", "UCX_RNDV_THRESH",
		"9000", "sh", NULL };
	static const char *const passed[] = { "mpirun", "-x", "N=3", "-x",
		"OMPI_MCA_btl_tcp_eager_limit=9000", "-genvlist", "UCX_RNDV_THRESH", "sh", NULL };
	static const char *const once[] = { "mpirun", "--pernode", "sh", NULL };
	static const char *const cpus[] = { "env", "UCX_RNDV_THRESH=9000", "mpiexec", "-map-by",
		"core", "sh", NULL };
	static const char *const script[] = { "sh", "env", NULL };
	static const char *const slurm[] = { "/usr/bin/srun", "-n", "2", "sh", NULL };
	const struct candidate map = { .setting = "PRTE_MCA_mapby=node", .map = "by-node" },
			       bind = { .setting = "PRTE_MCA_bindto=core", .binds = true },
			       ppn = { .setting = "-ppn=1", .map = "by-node" },
			       tcp = { .setting = "OMPI_MCA_btl_tcp_eager_limit=1" },
			       ucx = { .setting = "UCX_RNDV_THRESH=1" };
	const struct candidate *const all[] = { &map, &bind, &ppn, &tcp, &ucx };
	static const struct {
		const char *const *argv;
		bool overridden[5];
	} cases[] = { { bare, { false, false, false, false, false } },
		{ placed, { true, true, false, true, false } },
		{ passed, { false, false, false, true, false } },
		{ once, { true, false, false, false, false } },
		{ cpus, { true, false, false, false, true } },
		{ script, { false, false, true, false, false } },
		{ hydra, { true, false, true, false, true } },
		{ slurm, { true, true, true, false, false } } };
	struct launch l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_FATAL(launch_find(cases[i].argv, &l));
		for (int k = 0; k < 5; k++)
			CU_ASSERT_EQUAL(
				candidate_is_overridden(all[k], &l), cases[i].overridden[k]);
	}
}

static sqlite3 *schema_with(const char *rows)
{
	sqlite3 *db = NULL;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &db), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(db_make_schema(db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

#define MPICH "INSERT INTO run VALUES (0, 'shim', 'mpich'), (0, 'mpi_library', 'MPICH 4.0.2')"

/* A message by rendezvous. */
static struct replay_part message(enum link_tier tier, uint64_t bytes)
{
	return (struct replay_part){ .instance = REPLAY_NONE,
		.partner = 0,
		.is_send = true,
		.rendezvous = true,
		.needs = NEEDS_PARTNER,
		.tier = tier,
		.bytes = bytes };
}

/* UCX_RNDV_THRESH governs S of the node and of the network. */
static void a_setting_changes_S_of_all_tiers_that_it_governs(void)
{
	struct replay_part part[] = { message(TIER_NODE, 5000), message(TIER_NETWORK, 7000),
		message(TIER_NETWORK, 9000) };
	const struct replay_graph g = { .part = part, .nparts = 3 };
	struct candidate found[CANDIDATES_MAX];
	struct text change = { 0 }, notes = { 0 };
	sqlite3 *db = schema_with(MPICH);

	CU_ASSERT_FATAL(candidates_find(db, &g, found, &notes) >= 2);
	CU_ASSERT_STRING_EQUAL(found[0].setting, "UCX_RNDV_THRESH=16384");
	CU_ASSERT_STRING_EQUAL(found[1].setting, "UCX_RNDV_THRESH=8192");
	candidate_put_change(&found[0], &change);
	CU_ASSERT_STRING_EQUAL(change.at, "node.S=16383,network.S=16383");
	text_release(&change);
	sqlite3_close(db);
	CU_ASSERT_PTR_NULL(notes.at);
}

static void a_setting_is_left_out_aloud_if_messages_are_too_large_for_it(void)
{
	struct replay_part part = message(TIER_NODE, (256 << 10) - 80);
	const struct replay_graph g = { .part = &part, .nparts = 1 };
	struct candidate found[CANDIDATES_MAX];
	struct text notes = { 0 };
	sqlite3 *db = schema_with("INSERT INTO run VALUES (0, 'shim', 'openmpi'), "
				  "(0, 'mpi_library', 'Open MPI v4.1.4')");

	CU_ASSERT(candidates_find(db, &g, found, &notes) > 0);
	CU_ASSERT_STRING_EQUAL(found[0].setting, "OMPI_MCA_btl_vader_eager_limit=262144");
	CU_ASSERT_PTR_NULL(notes.at);
	part.bytes++;
	CU_ASSERT(candidates_find(db, &g, found, &notes) > 0);
	CU_ASSERT_PTR_NULL(strstr(found[0].setting, "eager_limit"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(notes.at);
	CU_ASSERT_STRING_EQUAL(
		notes.at, "btl_vader_eager_limit: left out: no message fits into 256 KiB.\n");
	text_release(&notes);
	sqlite3_close(db);
}

static void modifiers_of_the_users_value_are_kept(void)
{
	static const struct {
		const char *value, *node; /* NULL: it is no candidate */
	} cases[] = { { "slot:oversubscribe", "node:oversubscribe" }, { "slot", "node" },
		{ "ppr:2:node", NULL }, { "ppr:2:node:oversubscribe", NULL } };
	const char *const name = "OMPI_MCA_rmaps_base_mapping_policy";
	struct replay_part part = message(TIER_NETWORK, 100);
	const struct replay_graph g = { .part = &part, .nparts = 1 };
	sqlite3 *db = schema_with("INSERT INTO run VALUES (0, 'shim', 'openmpi'), "
				  "(0, 'mpi_library', 'Open MPI v4.1.4'), (0, 'host', 'a'), "
				  "(1, 'host', 'b')");
	struct candidate found[CANDIDATES_MAX];
	struct text notes = { 0 };
	char wanted[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int n, seen = 0;

		setenv(name, cases[i].value, 1);
		n = candidates_find(db, &g, found, &notes);
		CU_ASSERT(n > 0);
		snprintf(wanted, sizeof(wanted), "%s=%s", name, cases[i].node ? cases[i].node : "");
		for (int k = 0; k < n; k++)
			seen += strncmp(found[k].setting, wanted, strlen(wanted)) == 0;
		CU_ASSERT_EQUAL(seen, cases[i].node ? 1 : 0);
	}
	unsetenv(name);
	sqlite3_close(db);
	db = schema_with(MPICH);
	setenv("HYDRA_BINDING", "user:0,1", 1);
	CU_ASSERT_EQUAL(candidates_find(db, &g, found, &notes), 0);
	unsetenv("HYDRA_BINDING");
	CU_ASSERT_PTR_NULL(notes.at);
	sqlite3_close(db);
}

#define S_OF(tier, S)                                                                              \
	"INSERT INTO link_param (rank, tier, model, name, value, source) "                         \
	"VALUES (0, '" tier "', 'LogGPS', 'S', " #S ", 'measured');"

static void S_has_changed_if_it_has_on_any_tier(void)
{
	const struct candidate ucx = { .tiers = 1u << TIER_NODE | 1u << TIER_NETWORK };
	sqlite3 *was = schema_with(S_OF("node", 4096) S_OF("network", 8192)),
		*both = schema_with(S_OF("node", 16384) S_OF("network", 16384)),
		*network = schema_with(S_OF("node", 4096) S_OF("network", 16384)),
		*none = schema_with("");
	bool changed;

	CU_ASSERT_EQUAL(candidate_S(&ucx, was, both, &changed), 16384);
	CU_ASSERT(changed);
	CU_ASSERT_EQUAL(candidate_S(&ucx, was, network, &changed), 16384);
	CU_ASSERT(changed);
	CU_ASSERT_EQUAL(candidate_S(&ucx, was, was, &changed), 8192);
	CU_ASSERT_FALSE(changed);
	CU_ASSERT_EQUAL(candidate_S(&ucx, was, none, &changed), 0);
	CU_ASSERT_EQUAL(candidate_S(&(struct candidate){ .setting = "" }, was, both, &changed), 0);
	CU_ASSERT_FALSE(changed);
	sqlite3_close(was);
	sqlite3_close(both);
	sqlite3_close(network);
	sqlite3_close(none);
}

/* Differences 1, 2 and 3: mean 2, deviation 1, and t of two degrees of freedom at 99 % is 9.925. */
static void differences_have_students_interval(void)
{
	static const double unchanged[] = { 10, 11, 12 }, changed[] = { 11, 13, 15 };
	struct judged j = judge(unchanged, changed, 3);

	CU_ASSERT_DOUBLE_EQUAL(j.mean, 2, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(j.high, 2 + 9.925 / sqrt(3), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(j.low, 2 - 9.925 / sqrt(3), 1e-9);
	CU_ASSERT_FALSE(judge_is_known(&j, 10));
	j = judge(unchanged, changed, 2);
	CU_ASSERT(isinf(j.low) && isinf(j.high));
	CU_ASSERT_FALSE(judge_is_known(&j, 10));
}

static void a_difference_is_known_by_its_sign_or_if_it_is_small(void)
{
	CU_ASSERT(judge_is_known(&(struct judged){ -2, -3, -1 }, 1));
	CU_ASSERT(judge_is_known(&(struct judged){ 0, -0.09, 0.09 }, 10));
	CU_ASSERT_FALSE(judge_is_known(&(struct judged){ 0, -0.09, 0.11 }, 10));
}

static const struct unit_test tests[] = { { "the program stands behind the launcher's options",
						  the_program_stands_behind_the_launchers_options },
	{ "each program of a command is treated alike",
		each_program_of_a_command_is_treated_alike },
	{ "a signal ends a command that just starts", a_signal_ends_a_command_that_just_starts },
	{ "an option stands behind the launcher", an_option_stands_behind_the_launcher },
	{ "settings that the command overrides are no candidates",
		settings_that_the_command_overrides_are_no_candidates },
	{ "a setting changes S of all tiers that it governs",
		a_setting_changes_S_of_all_tiers_that_it_governs },
	{ "a setting is left out aloud if messages are too large for it",
		a_setting_is_left_out_aloud_if_messages_are_too_large_for_it },
	{ "modifiers of the user's value are kept", modifiers_of_the_users_value_are_kept },
	{ "S has changed if it has on any tier", S_has_changed_if_it_has_on_any_tier },
	{ "differences have Student's interval", differences_have_students_interval },
	{ "a difference is known by its sign, or if it is small",
		a_difference_is_known_by_its_sign_or_if_it_is_small },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("tune", tests);
}
