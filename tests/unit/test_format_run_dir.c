/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_run_dir.c: a run's directory is named, claimed and listed as it should be. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/now.h"
#include "analysis/format/db/db.h"
#include "analysis/format/run/mark.h"
#include "analysis/format/run/proc.h"
#include "analysis/format/run/process.h"
#include "analysis/format/run/run_dir.h"
#include "tests/unit/scratch.h"

static char dir[PATH_MAX];

static void clear_job(void)
{
	static const char *const names[] = { "SLURM_JOB_ID", "SLURM_STEP_ID", "PBS_JOBID",
		"LSB_JOBID", "FLUX_JOB_ID", "PJM_JOBID", "COBALT_JOBID", "JOB_ID", "PMIX_NAMESPACE",
		"OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_ess_jobid", "PMI_JOBID", "HYDRA_JOBID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

static void the_default_name_has_program_and_job(void)
{
	char path[256];

	clear_job();
	setenv("SLURM_JOB_ID", "1234", 1);
	setenv("SLURM_STEP_ID", "0", 1);
	setenv("PMIX_NAMESPACE", "slurm.pmix", 1);
	run_dir_default(path, sizeof(path), "/opt/my app/bin/a.out");
	CU_ASSERT_STRING_EQUAL(path, "tryst-a.out-1234.0");
	unsetenv("SLURM_JOB_ID");
	run_dir_default(path, sizeof(path), "../a b");
	CU_ASSERT_STRING_EQUAL(path, "tryst-a_b-slurm.pmix");
	setenv("PBS_JOBID", "77.../x y", 1);
	run_dir_default(path, sizeof(path), "");
	CU_ASSERT_STRING_EQUAL(path, "tryst-program-77..._x_y");
	clear_job();
	CU_ASSERT_FALSE(run_job_name(path, sizeof(path)));
	run_dir_default(path, sizeof(path), NULL);
	CU_ASSERT_EQUAL(strncmp(path, "tryst-program-20", 16), 0);
}

static void a_directory_of_another_run_is_not_touched(void)
{
	const char *wanted = scratch_path(dir, "out");
	char expected[PATH_MAX + 8];
	char chosen[PATH_MAX];
	struct say_list said;
	uint64_t id;

	say_list_init(&said);
	CU_ASSERT_EQUAL(run_dir_claim(wanted, 1, chosen, sizeof(chosen), &said.say), 0);
	CU_ASSERT_STRING_EQUAL(chosen, wanted);
	CU_ASSERT_EQUAL(scratch_lines(&said), 0);
	CU_ASSERT_EQUAL(run_dir_claim(wanted, 2, chosen, sizeof(chosen), &said.say), 0);
	snprintf(expected, sizeof(expected), "%s.2", wanted);
	CU_ASSERT_STRING_EQUAL(chosen, expected);
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT(scratch_said(&said, "holds another run"));
	CU_ASSERT_EQUAL(run_dir_id(wanted, &id), 0);
	CU_ASSERT_EQUAL(id, 1);
	CU_ASSERT_EQUAL(run_dir_id(chosen, &id), 0);
	CU_ASSERT_EQUAL(id, 2);
}

/* An old run whose claim somebody removed is still a run. */
static void rank_files_without_a_claim_are_a_run_too(void)
{
	const char *wanted = scratch_path(dir, "old");
	struct say_list said;
	char chosen[PATH_MAX];

	say_list_init(&said);
	mkdir(wanted, 0777);
	scratch_write(scratch_path(wanted, "rank-000000.db"), "x", 1);
	CU_ASSERT_EQUAL(run_dir_claim(wanted, 1, chosen, sizeof(chosen), &said.say), 0);
	CU_ASSERT(scratch_said(&said, "holds another run"));
	CU_ASSERT_FALSE(scratch_exists(scratch_path(wanted, RUN_CLAIM_FILE)));
}

static void a_directory_with_other_files_is_used(void)
{
	const char *wanted = scratch_path(dir, "mixed");
	char chosen[PATH_MAX];

	mkdir(wanted, 0777);
	scratch_write(scratch_path(wanted, "input.dat"), "x", 1);
	CU_ASSERT_EQUAL(run_dir_claim(wanted, 1, chosen, sizeof(chosen), NULL), 0);
	CU_ASSERT_STRING_EQUAL(chosen, wanted);
}

static void what_cannot_be_made_is_said_in_one_line(void)
{
	const char *file = scratch_path(dir, "file");
	char chosen[PATH_MAX];
	struct say_list said;

	scratch_write(file, "x", 1);
	say_list_init(&said);
	CU_ASSERT_EQUAL(run_dir_claim(file, 1, chosen, sizeof(chosen), &said.say), -ENOTDIR);
	CU_ASSERT(scratch_said(&said, "file': Not a directory; nothing is recorded"));
	CU_ASSERT_EQUAL(run_dir_claim(scratch_path(dir, "file/place"), 1, chosen, sizeof(chosen),
				&said.say),
		-ENOTDIR);
	CU_ASSERT_EQUAL(scratch_lines(&said), 2);
}

static void missing_parents_are_made(void)
{
	const char *wanted = scratch_path(dir, "no/such/place");
	char chosen[PATH_MAX];

	CU_ASSERT_EQUAL(run_dir_claim(wanted, 1, chosen, sizeof(chosen), NULL), 0);
	CU_ASSERT_STRING_EQUAL(chosen, wanted);
	CU_ASSERT_EQUAL(
		mark_make(scratch_path(dir, "none/here/run"), "job", "", chosen, sizeof(chosen)),
		0);
	CU_ASSERT(scratch_exists(chosen));
}

static void the_claim_does_not_follow_a_symbolic_link(void)
{
	const char *wanted = scratch_path(dir, "linked"), *victim = scratch_path(dir, "victim");
	char chosen[PATH_MAX];

	mkdir(wanted, 0777);
	CU_ASSERT_EQUAL(symlink(victim, scratch_path(wanted, RUN_CLAIM_FILE)), 0);
	CU_ASSERT_EQUAL(run_dir_claim(wanted, 1, chosen, sizeof(chosen), NULL), 0);
	CU_ASSERT_STRING_NOT_EQUAL(chosen, wanted);
	CU_ASSERT_FALSE(scratch_exists(victim));
}

static void spawned_worlds_get_numbers(void)
{
	const char *run = scratch_path(dir, "worlds");
	char chosen[PATH_MAX];

	mkdir(run, 0777);
	CU_ASSERT_EQUAL(run_world_claim(run, 1, chosen, sizeof(chosen), NULL), 1);
	CU_ASSERT_EQUAL(run_world_claim(run, 1, chosen, sizeof(chosen), NULL), 2);
	CU_ASSERT(scratch_exists(scratch_path(run, "world-2")));
}

static void many_ranks_lie_in_subdirectories_and_are_found(void)
{
	static const int32_t ranks[] = { 2345, 7, 999, 1000 };
	const char *run = scratch_path(dir, "many");
	char path[PATH_MAX], file[PATH_MAX];
	struct db_ranks list;

	mkdir(run, 0777);
	for (int i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(run_rank_dir(run, 3000, ranks[i], true, path, sizeof(path)), 0);
		CU_ASSERT_EQUAL(
			run_rank_path(path, ranks[i], i % 2 ? "db" : "ring", file, sizeof(file)),
			0);
		scratch_write(file, "x", 1);
	}
	CU_ASSERT(scratch_exists(scratch_path(run, "ranks-002000/rank-002345.ring")));
	run_rank_path(path, 1000, "spool", file, sizeof(file));
	scratch_write(file, "x", 1);
	CU_ASSERT_EQUAL(db_ranks_list(run, &list, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(list.nranks, 4);
	CU_ASSERT_EQUAL(list.rank[0].rank, 7);
	CU_ASSERT(list.rank[0].has_rows && !list.rank[0].has_ring);
	CU_ASSERT_EQUAL(list.rank[2].rank, 1000);
	CU_ASSERT(list.rank[2].has_rows && list.rank[2].has_ring);
	CU_ASSERT_EQUAL(list.rank[3].rank, 2345);
	CU_ASSERT(!list.rank[3].has_rows && list.rank[3].has_ring);
	CU_ASSERT_STRING_EQUAL(list.rank[3].dir, scratch_path(run, "ranks-002000"));
	db_ranks_release(&list);
	CU_ASSERT_EQUAL(run_rank_dir(run, RUN_FLAT_RANKS, 1023, true, path, sizeof(path)), 0);
	CU_ASSERT_STRING_EQUAL(path, run);
}

static void only_names_of_ranks_are_ranks(void)
{
	CU_ASSERT_EQUAL(run_rank_of_name("rank-000012.db", "db"), 12);
	CU_ASSERT_EQUAL(run_rank_of_name("rank-1000012.db", "db"), 1000012);
	CU_ASSERT_EQUAL(run_rank_of_name("rank-000012.ring", "db"), -1);
	CU_ASSERT_EQUAL(run_rank_of_name("rank-12.db", "db"), -1);
	CU_ASSERT_EQUAL(run_rank_of_name("rank-000012.db.new-host-1", "db"), -1);
	CU_ASSERT_EQUAL(run_rank_of_name("rank--00012.db", "db"), -1);
	CU_ASSERT_EQUAL(run_rank_of_name("rank-99999999999999999999.db", "db"), -1);
}

static void a_process_is_seen_alive_and_dead_on_its_own_host_only(void)
{
	struct ring_file *h = calloc(1, sizeof(*h));

	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	process_identify(h);
	CU_ASSERT_EQUAL(h->pid, getpid());
	CU_ASSERT_EQUAL(process_look(h), PROCESS_ALIVE);
	h->start_time++;
	CU_ASSERT_EQUAL(process_look(h), PROCESS_DEAD);
	h->pid_namespace++;
	CU_ASSERT_EQUAL(process_look(h), PROCESS_ALIVE);
	h->boot_id[0] ^= 1;
	CU_ASSERT_EQUAL(process_look(h), PROCESS_ELSEWHERE);
	free(h);
}

static void *until_killed(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* A letter of /proc/<pid>/stat. */
static char state_of(pid_t pid)
{
	char path[64], text[256] = "";
	const char *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	f = fopen(path, "r");
	if (f && !fgets(text, sizeof(text), f))
		text[0] = 0;
	if (f)
		fclose(f);
	p = strrchr(text, ')');
	return p && p[1] ? p[2] : 0;
}

static bool becomes(pid_t pid, char state, bool ended)
{
	for (int i = 0; i < 5000; i++) {
		if (state_of(pid) == state && process_has_ended(pid) == ended)
			return true;
		usleep(1000);
	}
	return false;
}

static void a_process_lives_as_long_as_one_of_its_threads(void)
{
	pid_t pid = fork();

	CU_ASSERT_FATAL(pid >= 0);
	if (pid == 0) {
		pthread_t other;

		if (pthread_create(&other, NULL, until_killed, NULL) != 0)
			_exit(1);
		pthread_exit(NULL);
	}
	CU_ASSERT(becomes(pid, 'Z', false));
	kill(pid, SIGKILL);
	CU_ASSERT(becomes(pid, 'Z', true));
	CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
	CU_ASSERT(process_has_ended(pid));
}

static void texts_of_schedstat_are_two_numbers(void)
{
	static const struct {
		const char *text;
		bool known;
		struct proc_cpu cpu;
	} cases[] = { { "12 34 5\n", true, { 12, 34 } }, { "12\n", false, { 0, 0 } },
		{ "", false, { 0, 0 } }, { "9223372036854775807 0 0\n", true, { INT64_MAX, 0 } },
		{ "9223372036854775808 1 0\n", false, { 0, 0 } },
		{ "1 9223372036854775808 0\n", false, { 0, 0 } } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct proc_cpu cpu = { 7, 7 };

		CU_ASSERT_EQUAL(proc_cpu_read(cases[i].text, &cpu), cases[i].known);
		CU_ASSERT_EQUAL(cpu.ran_ns, cases[i].cpu.ran_ns);
		CU_ASSERT_EQUAL(cpu.waited_ns, cases[i].cpu.waited_ns);
	}
}

static void *cpu_of_this_thread(void *cpu)
{
	CU_ASSERT(proc_cpu_of_thread((pid_t)syscall(SYS_gettid), cpu));
	return NULL;
}

/* The first thread of this process has run since before the others were made. */
static void threads_and_processes_have_times_of_their_own(void)
{
	struct proc_cpu self, process, thread, none = { 7, 7 };
	pthread_t other;

	for (int64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + 20000000;
		now_ns(CLOCK_THREAD_CPUTIME_ID) < end;)
		;
	CU_ASSERT_FATAL(pthread_create(&other, NULL, cpu_of_this_thread, &thread) == 0);
	pthread_join(other, NULL);
	CU_ASSERT(proc_cpu_of_process(0, &self) && proc_cpu_of_process(getpid(), &process));
	CU_ASSERT(self.ran_ns >= 10000000 && self.ran_ns <= process.ran_ns);
	CU_ASSERT(thread.ran_ns < self.ran_ns);
	CU_ASSERT_FALSE(proc_cpu_of_process(INT32_MAX, &none));
	CU_ASSERT_EQUAL(none.ran_ns, 0);
	CU_ASSERT_FALSE(proc_cpu_of_thread(INT32_MAX, &none));
}

/* Another user puts it where a directory of the run is to be, in one that all may write. */
static void no_directory_within_a_run_is_a_link(void)
{
	char run[PATH_MAX], outside[PATH_MAX], chosen[PATH_MAX], mark[PATH_MAX],
		started[PATH_MAX + 8];

	snprintf(run, sizeof(run), "%s", scratch_path(dir, "links"));
	snprintf(outside, sizeof(outside), "%s", scratch_path(dir, "outside"));
	CU_ASSERT_FATAL(mkdir(run, 0777) == 0 && mkdir(outside, 0777) == 0);
	CU_ASSERT_FATAL(symlink(outside, scratch_path(run, "world-1")) == 0);
	CU_ASSERT_FATAL(symlink(outside, scratch_path(run, "ranks-000000")) == 0);
	CU_ASSERT_FATAL(symlink(outside, scratch_path(run, "started")) == 0);
	CU_ASSERT_EQUAL(run_world_claim(run, 1, chosen, sizeof(chosen), NULL), 2);
	CU_ASSERT_EQUAL(run_rank_dir(run, 3000, 5, true, chosen, sizeof(chosen)), -ENOTDIR);
	CU_ASSERT_FATAL(mark_make(run, "job", "", mark, sizeof(mark)) == 0);
	CU_ASSERT_EQUAL(mark_move(mark, run), -ENOTDIR);
	CU_ASSERT(scratch_exists(mark));
	mark_drop(mark);
	snprintf(started, sizeof(started), "%s.started", run);
	CU_ASSERT_FATAL(symlink(outside, started) == 0);
	CU_ASSERT_EQUAL(mark_make(run, "job", "", mark, sizeof(mark)), -ENOTDIR);
	unlink(started);
	CU_ASSERT_FATAL(
		mkdir(started, 0777) == 0 && symlink(outside, scratch_path(started, "job")) == 0);
	CU_ASSERT_EQUAL(mark_make(run, "job", "", mark, sizeof(mark)), -ENOTDIR);
	CU_ASSERT_EQUAL(rmdir(outside), 0); /* it is empty */
}

static const struct unit_test tests[] = { { "the default name has program and job",
						  the_default_name_has_program_and_job },
	{ "a directory of another run is not touched", a_directory_of_another_run_is_not_touched },
	{ "rank files without a claim are a run too", rank_files_without_a_claim_are_a_run_too },
	{ "a directory with other files is used", a_directory_with_other_files_is_used },
	{ "what cannot be made is said in one line", what_cannot_be_made_is_said_in_one_line },
	{ "missing parents are made", missing_parents_are_made },
	{ "the claim does not follow a symbolic link", the_claim_does_not_follow_a_symbolic_link },
	{ "spawned worlds get numbers", spawned_worlds_get_numbers },
	{ "many ranks lie in subdirectories and are found",
		many_ranks_lie_in_subdirectories_and_are_found },
	{ "only names of ranks are ranks", only_names_of_ranks_are_ranks },
	{ "a process is seen alive and dead on its own host only",
		a_process_is_seen_alive_and_dead_on_its_own_host_only },
	{ "a process lives as long as one of its threads",
		a_process_lives_as_long_as_one_of_its_threads },
	{ "texts of schedstat are two numbers", texts_of_schedstat_are_two_numbers },
	{ "threads and processes have times of their own",
		threads_and_processes_have_times_of_their_own },
	{ "no directory within a run is a link", no_directory_within_a_run_is_a_link },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("run_dir", tests);
	scratch_remove(dir);
	return failed;
}
