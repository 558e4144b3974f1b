/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_rows.c: rows of a rank's database are what ring and spool hold. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/format/db/db.h"
#include "analysis/format/run/process.h"
#include "analysis/format/rows/rows.h"
#include "analysis/format/rows/time.h"
#include "tests/spoolgen.h"
#include "tests/unit/scratch.h"

static char dir[PATH_MAX];
static struct spoolgen_truth truth;
static const struct rows_options keep = { .keep = true };

static struct spoolgen generator(void)
{
	struct spoolgen g;

	scratch_remove(dir);
	mkdir(dir, 0777);
	spoolgen_init(&g);
	g.dir = dir;
	g.ranks = 2;
	return g;
}

static void generate(const struct spoolgen *g)
{
	if (spoolgen_write(g, &truth)) {
		perror(dir);
		exit(1);
	}
}

static const char *file_of(int rank, const char *suffix)
{
	char name[160];

	snprintf(name, sizeof(name), "rank-%06d.%s", rank, suffix);
	return scratch_path(dir, name);
}

static sqlite3 *open_rank(int rank)
{
	sqlite3 *db;

	CU_ASSERT_EQUAL_FATAL(db_open(file_of(rank, "db"), DB_READ, &db, NULL), 0);
	return db;
}

/* The sum of a query over all ranks' files. */
static int64_t sum_ranks(int ranks, const char *sql)
{
	int64_t sum = 0;

	for (int rank = 0; rank < ranks; rank++) {
		sqlite3 *db = open_rank(rank);

		sum += scratch_sql(db, sql);
		sqlite3_close(db);
	}
	return sum;
}

static void rows_are_what_was_recorded(void)
{
	struct spoolgen g = generator();
	struct rows_result result;

	g.ranks = 5;
	g.rounds = 3000;
	generate(&g);
	for (int rank = 0; rank < g.ranks; rank++) {
		CU_ASSERT_EQUAL(
			rows_write(dir, rank, &(struct rows_options){ 0 }, &result, NULL), 0);
		CU_ASSERT(result.clean_finalize && result.consumed && !result.unfinished);
		CU_ASSERT(!scratch_exists(file_of(rank, "ring")));
		CU_ASSERT(!scratch_exists(file_of(rank, "spool")));
	}
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT count(*) FROM op"), (int64_t)truth.ops);
	CU_ASSERT_EQUAL(
		sum_ranks(5, "SELECT count(*) FROM op WHERE kind = 'send'"), (int64_t)truth.sends);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(bytes) FROM op WHERE kind = 'send'"),
		(int64_t)truth.bytes_sent);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(excess_ns) FROM op"), truth.excess_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM op"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM waits"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM wait_profile"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM wait_by_cause"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM wait_by_peer"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM wait_by_callsite"), truth.wait_ns);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT sum(wait_ns) FROM wait_by_protocol"), truth.wait_ns);
	CU_ASSERT_EQUAL(
		sum_ranks(5, "SELECT sum(sent_bytes) FROM comm_matrix"), (int64_t)truth.bytes_sent);
	CU_ASSERT_EQUAL(
		sum_ranks(5, "SELECT count(*) FROM collective"), (int64_t)truth.collectives);
	CU_ASSERT_EQUAL(
		sum_ranks(5,
			"SELECT count(*) FROM op"
			" WHERE blocked_ns <> predicted_ns + excess_ns OR rank IS NULL OR call IS "
			"NULL OR complete_call IS NULL OR complete_leave_ns < complete_enter_ns OR "
			"post_leave_ns < post_enter_ns OR complete_enter_ns < post_enter_ns"),
		0);
	CU_ASSERT_EQUAL(sum_ranks(5,
				"SELECT sum(sent_count) = (SELECT sum(kind = 'send') FROM op)"
				" FROM comm_matrix"),
		5);
	CU_ASSERT_EQUAL(sum_ranks(5, "SELECT count(*) FROM run WHERE key LIKE 'damaged%'"), 0);
	CU_ASSERT_EQUAL(
		sum_ranks(5, "SELECT value FROM run WHERE key = 'ops'"), (int64_t)truth.ops);
}

static void every_op_of_the_generator_has_its_partner(void)
{
	struct spoolgen g = generator();
	char sql[PATH_MAX + 64];
	sqlite3 *db;

	g.rounds = 2000;
	g.wildcard_percent = 30;
	generate(&g);
	rows_write(dir, 0, &keep, NULL, NULL);
	rows_write(dir, 1, &keep, NULL, NULL);
	db = open_rank(0);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS other", file_of(1, "db"));
	CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(
		scratch_sql(db,
			"SELECT count(*) FROM"
			" (SELECT row_number() OVER (ORDER BY post_enter_ns) AS n, bytes, tag, "
			"protocol,  complete_leave_ns AS t FROM main.op WHERE kind = 'send') s JOIN"
			" (SELECT row_number() OVER (ORDER BY post_enter_ns) AS n, bytes, tag, "
			"protocol,  complete_leave_ns AS t FROM other.op WHERE kind = 'recv') r "
			"USING (n) WHERE s.bytes = r.bytes AND s.tag = r.tag AND s.protocol = "
			"r.protocol"),
		scratch_sql(db, "SELECT count(*) FROM main.op WHERE kind = 'send'"));
	CU_ASSERT(scratch_sql(db,
			  "SELECT count(*) FROM other.op WHERE asked_peer IS NULL"
			  " AND peer = 0 AND flags LIKE '%any_source,any_tag%'") > 100);
	sqlite3_close(db);
}

/* The contract with those who query: names, and a rank in every view of a rank. */
static void every_view_answers_and_has_a_rank(void)
{
	static const char *const names[] = { "run", "link_param", "link", "callsite",
		"communicator", "op", "collective", "busy", "call_profile", "thread_time",
		"wait_profile", "waits", "wait_by_protocol", "wait_by_cause", "wait_by_callsite",
		"wait_by_peer", "comm_matrix", "model_error", "pending", "rendezvous_bottlenecks",
		"rma", "io", "phase", "wait_by_phase", "phase_profile", "clock", "in_call" };
	struct spoolgen g = generator();
	sqlite3 *db;

	g.open = true;
	generate(&g);
	rows_write(dir, 1, &keep, NULL, NULL);
	db = open_rank(1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char sql[256];

		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM (SELECT rank, * FROM %s)"
			" WHERE rank IS NULL OR rank <> 1",
			names[i]);
		CU_ASSERT_EQUAL(scratch_sql(db, sql), 0);
	}
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM pragma_integrity_check"
				" WHERE integrity_check <> 'ok'"),
		0);
	/* SQLite's names ignore case, so views must not rely on it */
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) - count(DISTINCT lower(name))"
				" FROM sqlite_master"),
		0);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM wait_by_callsite"
				" WHERE callsite > 1 AND file IS NULL AND line IS NULL"),
		scratch_sql(db, "SELECT count(*) FROM wait_by_callsite"));
	CU_ASSERT_EQUAL(
		scratch_sql(db, "SELECT eager_max_bytes FROM link WHERE tier = 'node'"), 4096);
	CU_ASSERT_EQUAL(scratch_sql(db, "PRAGMA application_id"), DB_APPLICATION_ID);
	CU_ASSERT_EQUAL(scratch_sql(db, "PRAGMA user_version"), DB_VERSION);
	sqlite3_close(db);
}

static void bottlenecks_name_a_remedy_only_where_one_side_knows(void)
{
	struct spoolgen g = generator();
	sqlite3 *db;

	g.late_percent = 50;
	generate(&g);
	rows_write(dir, 0, &keep, NULL, NULL);
	db = open_rank(0);
	CU_ASSERT(scratch_sql(db, "SELECT count(*) FROM rendezvous_bottlenecks") >= 3);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM rendezvous_bottlenecks"
				" WHERE kind = 'recv' AND remedy <> 'unknown'"),
		0);
	/* of all sizes up to 1 MiB no sum can be buffered */
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM rendezvous_bottlenecks"
				" WHERE remedy <> 'unknown'"),
		0);
	CU_ASSERT_EQUAL(scratch_sql(db, "SELECT sum(wait_ns) FROM rendezvous_bottlenecks"),
		scratch_sql(db, "SELECT sum(wait_ns) FROM op WHERE protocol = 'rendezvous'"));
	sqlite3_close(db);
	g = generator();
	g.late_percent = 50;
	g.max_bytes = 65536;
	generate(&g);
	rows_write(dir, 0, &keep, NULL, NULL);
	db = open_rank(0);
	CU_ASSERT(scratch_sql(db,
			  "SELECT count(*) FROM rendezvous_bottlenecks"
			  " WHERE kind = 'send' AND remedy = 'raise S' AND eager_max_bytes = 4096"
			  " AND max_bytes = 131071") > 0);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM rendezvous_bottlenecks"
				" WHERE kind = 'recv' AND remedy <> 'unknown'"),
		0);
	/* limits that nothing confirmed are no reason for a remedy */
	sqlite3_close(db);
	CU_ASSERT_EQUAL_FATAL(sqlite3_open(scratch_path(dir, "rank-000000.db"), &db), SQLITE_OK);
	CU_ASSERT_EQUAL(
		sqlite3_exec(db, "UPDATE link_param SET source = 'unconfirmed'", NULL, NULL, NULL),
		SQLITE_OK);
	CU_ASSERT_EQUAL(
		scratch_sql(db,
			"SELECT count(*) FROM rendezvous_bottlenecks WHERE remedy <> 'unknown'"),
		0);
	CU_ASSERT(scratch_sql(db, "SELECT count(*) FROM rendezvous_bottlenecks WHERE unconfirmed") >
		0);
	sqlite3_close(db);
}

static void a_killed_rank_shows_what_it_was_waiting_for(void)
{
	struct spoolgen g = generator();
	struct rows_result result;
	sqlite3 *db;

	g.open = true;
	generate(&g);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &(struct rows_options){ 0 }, &result, NULL), 0);
	CU_ASSERT(!result.clean_finalize && !result.unfinished && result.consumed);
	CU_ASSERT_EQUAL(result.pending, 2);
	db = open_rank(0);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM pending WHERE kind = 'recv' AND"
				" call = 'MPI_Irecv' AND peer = 1 AND tag = 99 AND bytes = "
				"1024 AND age_ns >= 0 AND NOT in_call"),
		1);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT count(*) FROM pending WHERE kind = 'call'"
				" AND call = 'MPI_Wait' AND in_call"),
		1);
	CU_ASSERT_EQUAL(
		scratch_sql(db, "SELECT count(*) FROM op WHERE complete_enter_ns IS NULL"), 1);
	CU_ASSERT_EQUAL(scratch_sql(db, "SELECT value FROM run WHERE key = 'clean_finalize'"), 0);
	sqlite3_close(db);
}

static void a_living_rank_is_read_and_not_consumed(void)
{
	struct ring_file *self = calloc(1, sizeof(*self));
	struct spoolgen g = generator();
	struct rows_result result;
	sqlite3 *db;
	int fd;

	g.open = true;
	generate(&g);
	process_identify(self);
	fd = open(file_of(0, "ring"), O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd, &self->pid, 8, offsetof(struct ring_file, pid)), 8);
	close(fd);
	free(self);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &(struct rows_options){ 0 }, &result, NULL), 0);
	CU_ASSERT(result.unfinished && !result.consumed);
	CU_ASSERT(scratch_exists(file_of(0, "ring")) && scratch_exists(file_of(0, "spool")));
	db = open_rank(0);
	CU_ASSERT_EQUAL(scratch_sql(db, "SELECT value FROM run WHERE key = 'unfinished'"), 1);
	sqlite3_close(db);
	/* and again, over the unfinished file, once the user says that the job has ended */
	CU_ASSERT_EQUAL(
		rows_write(dir, 0, &(struct rows_options){ .ended = true }, &result, NULL), 0);
	CU_ASSERT(!result.unfinished && result.consumed);
	CU_ASSERT(!scratch_exists(file_of(0, "ring")));
}

static void files_that_are_not_this_runs_are_left_alone(void)
{
	struct spoolgen g = generator();
	struct say_list said;
	size_t bytes;
	uint8_t *data;

	generate(&g);
	scratch_write(file_of(0, "db"), "precious", 8);
	say_list_init(&said);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, &said.say), -EEXIST);
	CU_ASSERT(scratch_said(&said, "rank-000000.db' is not this run's and is left alone"));
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	data = scratch_read(file_of(0, "db"), &bytes);
	CU_ASSERT_EQUAL(bytes, 8);
	free(data);
	unlink(file_of(0, "db"));
	CU_ASSERT_EQUAL(symlink("/dev/null", file_of(0, "db")), 0);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, &said.say), -EEXIST);
	unlink(file_of(0, "db"));
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, &said.say), 0);
	g.run_id++;
	unlink(file_of(0, "ring"));
	unlink(file_of(0, "spool"));
	unlink(file_of(1, "ring"));
	unlink(file_of(1, "spool"));
	generate(&g);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, &said.say), -EEXIST);
}

/* RLIMIT_FSIZE stands in for a full disk: write() fails in the same place. */
static void a_file_that_cannot_be_written_is_said_and_nothing_is_lost(void)
{
	struct spoolgen g = generator();
	struct rlimit old, small;
	struct say_list said;
	struct db_ranks list;
	int rc;

	g.rounds = 20000;
	generate(&g);
	say_list_init(&said);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 300000;
	setrlimit(RLIMIT_FSIZE, &small);
	rc = rows_write(dir, 0, &(struct rows_options){ 0 }, NULL, &said.say);
	setrlimit(RLIMIT_FSIZE, &old);
	CU_ASSERT_EQUAL(rc, -EFBIG);
	CU_ASSERT(scratch_said(&said, "cannot write '"));
	CU_ASSERT(scratch_said(&said, "File too large"));
	CU_ASSERT(scratch_said(&said, "stay in ring and spool"));
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT_EQUAL(db_ranks_list(dir, &list, NULL), 0);
	CU_ASSERT(list.nranks == 2 && !list.rank[0].has_rows && list.rank[0].has_ring);
	db_ranks_release(&list);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &(struct rows_options){ 0 }, NULL, NULL), 0);
}

static void a_row_takes_at_most_64_bytes_on_disk(void)
{
	struct spoolgen g = generator();
	struct stat st;
	sqlite3 *db;
	double bytes;

	/* the costly kind: nonblocking, of a rank with a long number, hours into the run */
	g.ranks = 2;
	g.rounds = 10000;
	g.nonblocking_percent = 100;
	g.collective_percent = 0;
	g.late_percent = 50;
	generate(&g);
	rows_write(dir, 1, &keep, NULL, NULL);
	db = open_rank(1);
	CU_ASSERT_EQUAL_FATAL(stat(file_of(1, "db"), &st), 0);
	bytes = (double)st.st_size / (double)scratch_sql(db, "SELECT count(*) FROM op");
	sqlite3_close(db);
	printf("(%.1f bytes) ", bytes);
	CU_ASSERT(bytes <= 64);
}

static void a_million_ops_are_asked_in_less_than_a_second(void)
{
	struct spoolgen g = generator();
	struct timespec begin, end;
	sqlite3 *db;
	double s;

	g.ranks = 2;
	g.rounds = 100000;
	generate(&g);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, NULL), 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	s = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
	printf("(%.2f us an op) ", s * 1e6 / (double)(truth.ops / 2));
	db = open_rank(0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	scratch_sql(db, "SELECT max(wait_ns) FROM rendezvous_bottlenecks");
	scratch_sql(db, "SELECT max(wait_ns) FROM wait_by_callsite");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	s = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
	CU_ASSERT(s < 0.2);
	sqlite3_close(db);
}

static void what_a_killed_writer_left_is_swept_away(void)
{
	char host[65] = "", name[128];
	struct spoolgen g = generator();

	generate(&g);
	gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), "db.new-%s-%d", host, INT32_MAX);
	scratch_write(file_of(0, name), "x", 1);
	snprintf(name, sizeof(name), "db.new-%s-%d", host, (int)getpid());
	scratch_write(file_of(0, name), "x", 1);
	scratch_write(file_of(0, "db.new-elsewhere-2147483647"), "x", 1);
	CU_ASSERT_EQUAL(rows_sweep(dir), 1);
	CU_ASSERT_EQUAL(rows_sweep(dir), 0);
	CU_ASSERT(scratch_exists(file_of(0, name)) && scratch_exists(file_of(0, "ring")));
	CU_ASSERT(scratch_exists(file_of(0, "db.new-elsewhere-2147483647")));
}

static void our_own_time_is_that_of_each_path(void)
{
	struct spoolgen g = generator();
	sqlite3 *db;

	generate(&g);
	rows_write(dir, 0, &keep, NULL, NULL);
	db = open_rank(0);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT sum(tool_ns = 30 * count) FROM call_profile"
				" WHERE call IN ('MPI_Send', 'MPI_Irecv')"),
		2);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT sum(tool_ns = 5 * count / 2) FROM call_profile"
				" WHERE call IN ('MPI_Wait', 'MPI_Allreduce')"),
		2);
	CU_ASSERT_EQUAL(scratch_sql(db,
				"SELECT value - (SELECT sum(tool_ns) FROM call_profile)"
				" FROM run WHERE key = 'tool_ns'"),
		0);
	sqlite3_close(db);
}

/* The cost was measured on a processor that was slower then. */
static void our_own_time_fits_beside_the_calls(void)
{
	struct spoolgen g = generator();
	sqlite3 *db;

	g.op_cost_ns = 1000000;
	generate(&g);
	rows_write(dir, 0, &keep, NULL, NULL);
	db = open_rank(0);
	CU_ASSERT_EQUAL(scratch_sql(db, "SELECT outside_ns BETWEEN 0 AND 100 FROM thread_time"), 1);
	CU_ASSERT_EQUAL(
		scratch_sql(db, "SELECT wall_ns = mpi_ns + tool_ns + outside_ns FROM thread_time"),
		1);
	CU_ASSERT(scratch_sql(db, "SELECT sum(tool_ns) FROM call_profile WHERE call = 'MPI_Send'") >
		0);
	sqlite3_close(db);
}

/* Without ring, spool or anything else in the directory. */
static void nothing_to_read_is_no_error_message(void)
{
	struct say_list said;

	(void)generator();
	say_list_init(&said);
	CU_ASSERT_EQUAL(rows_write(dir, 0, &keep, NULL, &said.say), -ENOENT);
	CU_ASSERT_EQUAL(scratch_lines(&said), 0);
}

static void ticks_are_nanoseconds_by_the_nodes_rate_until_readings_disagree(void)
{
	struct rows_time t = { 0 };
	struct rec_clock c = { .error_ns = 40 };
	int64_t span;

	/* 2.5 ticks a ns; a reading off by 30 ns changes nothing */
	c.ticks = 1000;
	rows_time_reading(&t, &c);
	c.ticks = 1000 + 2500000000;
	c.monotonic_ns = 1000000030;
	rows_time_reading(&t, &c);
	rows_time_make(&t, 1000, 0.4);
	CU_ASSERT_EQUAL(t.npieces, 1);
	CU_ASSERT_EQUAL(rows_time_ns(&t, 1000 + 25), 10);
	CU_ASSERT_EQUAL(rows_time_ns(&t, 1000 - 25), -10);
	CU_ASSERT_EQUAL(rows_time_ns(&t, 1000 + 2500000000), 1000000000);
	/* an hour later the rate shows to have been off by 1e-6 */
	c.ticks = 1000 + 2500000000 * 3600;
	c.monotonic_ns = 3600000000000 + 3600000;
	rows_time_reading(&t, &c);
	rows_time_make(&t, 1000, 0.4);
	CU_ASSERT_EQUAL(t.npieces, 2);
	CU_ASSERT(llabs(rows_time_ns(&t, c.ticks) - c.monotonic_ns) <= 40);
	CU_ASSERT(rows_time_ns(&t, 1000 + 25000000000) >= 10000009999);
	/* nonsense is survived */
	rows_time_make(&t, UINT64_MAX, NAN);
	CU_ASSERT_EQUAL(rows_time_ns(&t, UINT64_MAX), 0);
	rows_time_make(&t, 0, -1);
	CU_ASSERT_EQUAL(rows_time_span(&t, INT64_MAX), ROWS_NS_MAX);
	CU_ASSERT_EQUAL(rows_time_span(&t, (uint64_t)-1000), 0);
	/* also of times as far apart as can be there is a difference */
	rows_time_make(&t, UINT64_C(1) << 63, 1);
	CU_ASSERT(
		!__builtin_sub_overflow(rows_time_ns(&t, UINT64_MAX), rows_time_ns(&t, 0), &span));
	CU_ASSERT_EQUAL(span, 2 * ROWS_NS_MAX);
}

static const struct unit_test tests[] = { { "rows are what was recorded",
						  rows_are_what_was_recorded },
	{ "every op of the generator has its partner", every_op_of_the_generator_has_its_partner },
	{ "every view answers and has a rank", every_view_answers_and_has_a_rank },
	{ "bottlenecks name a remedy only where one side knows",
		bottlenecks_name_a_remedy_only_where_one_side_knows },
	{ "a killed rank shows what it was waiting for",
		a_killed_rank_shows_what_it_was_waiting_for },
	{ "a living rank is read and not consumed", a_living_rank_is_read_and_not_consumed },
	{ "files that are not this run's are left alone",
		files_that_are_not_this_runs_are_left_alone },
	{ "a file that cannot be written is said and nothing is lost",
		a_file_that_cannot_be_written_is_said_and_nothing_is_lost },
	{ "a row takes at most 64 bytes on disk", a_row_takes_at_most_64_bytes_on_disk },
	{ "a million ops are asked in less than a second",
		a_million_ops_are_asked_in_less_than_a_second },
	{ "our own time is that of each path", our_own_time_is_that_of_each_path },
	{ "our own time fits beside the calls", our_own_time_fits_beside_the_calls },
	{ "what a killed writer left is swept away", what_a_killed_writer_left_is_swept_away },
	{ "nothing to read is no error message", nothing_to_read_is_no_error_message },
	{ "ticks are nanoseconds by the node's rate until readings disagree",
		ticks_are_nanoseconds_by_the_nodes_rate_until_readings_disagree },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("rows", tests);
	scratch_remove(dir);
	return failed;
}
