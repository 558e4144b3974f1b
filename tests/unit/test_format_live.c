/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_live.c: looks at a rank that goes on (analysis/format/run/live.h). */
#include "tests/unit/record_ring.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "analysis/format/run/live.h"
#include "analysis/format/run/process.h"
#include "tests/unit/scratch.h"

static struct live rank;
static struct live_buffers *buffers;
static uint64_t records, sum_calls;

static int see_record(void *context, uint32_t thread, const struct rec_head *record)
{
	(void)context;
	CU_ASSERT_EQUAL(thread, THREAD);
	CU_ASSERT_EQUAL(record->type, REC_OP);
	records++;
	return 0;
}

static void see_sum(void *context, uint32_t thread, const struct call_sum *change)
{
	(void)context, (void)thread;
	sum_calls += change->count;
}

static const char *ring(void)
{
	return scratch_path(dir, "rank-000000.ring");
}

static void look_again(void)
{
	static const struct live_visitor visitor = { .record = see_record, .sum = see_sum };

	records = sum_calls = 0;
	live_see_ends(buffers);
	CU_ASSERT_EQUAL(live_look(&rank, buffers, &visitor), 0);
}

/* The file as it is now, looked at. */
static void look(void)
{
	scratch_write(ring(), &file, sizeof(file));
	look_again();
}

static void receive(uint64_t op_id)
{
	const struct rec_op op = { .type = REC_OP,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING),
		.call = FN_MPI_Recv,
		.op_id = op_id,
		.enter_ticks = ZERO + 10 * op_id,
		.leave_ticks = ZERO + 10 * op_id + 7,
		.comm = COMM_WORLD_ID };

	add(&op, sizeof(op));
	/* the region of waits is looked at as one of sums here */
	((struct call_sum *)file.wait)->callsite = 2;
	((struct call_sum *)file.wait)->count++;
}

/* A rank of the process that `of` names, with two receives, looked at once. */
static void start_of(const struct ring_file *of)
{
	live_release(&rank);
	rank = (struct live){ .dir = dir };
	begin();
	memcpy(file.header.boot_id, of->boot_id, sizeof(of->boot_id));
	file.header.pid = of->pid;
	file.header.start_time = of->start_time;
	file.header.pid_namespace = of->pid_namespace;
	file.header.state = RING_OPEN;
	file.header.regions[1].kind = REGION_SUMS;
	receive(1);
	receive(2);
	look();
}

/* A rank of this process, with two receives, looked at once. */
static void start(void)
{
	static struct ring_file own;

	process_identify(&own);
	start_of(&own);
}

static const struct live_thread *thread(void)
{
	CU_ASSERT_EQUAL_FATAL(rank.nthreads, 1);
	return &rank.threads[0];
}

static void the_first_look_sees_all_that_the_ring_has(void)
{
	start();
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
	CU_ASSERT(rank.fresh);
	CU_ASSERT_EQUAL(records, 2);
	CU_ASSERT_EQUAL(rank.sums.calls, 2);
	CU_ASSERT_EQUAL(sum_calls, 0);
}

static void a_record_is_seen_once(void)
{
	start();
	look();
	CU_ASSERT(!rank.fresh && !rank.changed);
	CU_ASSERT_EQUAL(records, 0);
	receive(3);
	look();
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT_EQUAL(sum_calls, 1);
	CU_ASSERT(!thread()->turned);
}

/* The ring became full, and a chunk: its records since the last look have gone to the spool. */
static void a_ring_that_began_anew_is_seen_from_its_first_record_on(void)
{
	start();
	file.thread.seq++;
	file.thread.lap++;
	file.thread.head = 0;
	receive(3);
	receive(4);
	receive(5);
	look();
	CU_ASSERT(!rank.fresh);
	CU_ASSERT_EQUAL(records, 3);
	CU_ASSERT(thread()->turned);
	receive(6);
	look();
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT(!thread()->turned);
}

static void an_emptied_ring_has_turned_without_records(void)
{
	start();
	file.thread.seq++;
	file.thread.lap++;
	file.thread.head = 0;
	look();
	CU_ASSERT_EQUAL(records, 0);
	CU_ASSERT(thread()->turned);
}

/* A run of the same name writes over the file: the inode stays. */
static void another_run_in_the_same_file_begins_anew(void)
{
	start();
	begin();
	process_identify(&file.header);
	file.header.state = RING_OPEN;
	file.header.run_id = 6;
	file.header.regions[1].kind = REGION_SUMS;
	receive(1);
	receive(2);
	look();
	CU_ASSERT(rank.fresh);
	CU_ASSERT_EQUAL(records, 2);
	CU_ASSERT_EQUAL(sum_calls, 0);
	CU_ASSERT_EQUAL(rank.sums.calls, 2);
	receive(3);
	look();
	CU_ASSERT(!rank.fresh);
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT_EQUAL(sum_calls, 1);
}

/* Calls that read, of this process so far. */
static uint64_t reads(void)
{
	unsigned long long n = 0;
	char line[128];
	FILE *f = fopen("/proc/self/io", "re");

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "syscr: %llu", &n) != 1)
		;
	if (f)
		fclose(f);
	return n;
}

/* Reads that a look takes, beside those that counting them takes. */
static uint64_t reads_of_a_look(void)
{
	uint64_t first = reads(), second = reads();

	look_again();
	return reads() - second - (second - first);
}

static void a_look_at_a_rank_of_this_host_reads_its_mapping(void)
{
	start();
	rank.briefly = true;
	CU_ASSERT(rank.map != NULL);
	if (reads() == 0) {
		printf("skipped in part: this kernel does not count reads (/proc/self/io)\n");
		return;
	}
	CU_ASSERT(rank.process > 0);
	CU_ASSERT_EQUAL(reads_of_a_look(), 0);
	receive(3);
	scratch_write(ring(), &file, sizeof(file));
	CU_ASSERT_EQUAL(reads_of_a_look(), 0);
	CU_ASSERT_EQUAL(records, 1);
	CU_ASSERT_EQUAL(sum_calls, 1);
	CU_ASSERT(rank.looked_briefly && rank.cpu_ns > 0);
	rank.briefly = false;
	CU_ASSERT(reads_of_a_look() > 0);
	CU_ASSERT(!rank.looked_briefly);
}

/* A file server shows its newest state to those who open the file. */
static void the_ring_of_another_host_is_opened_at_each_look(void)
{
	start();
	file.header.run_id = 6;
	snprintf(file.header.boot_id, sizeof(file.header.boot_id), "another boot");
	look();
	CU_ASSERT(rank.elsewhere);
	CU_ASSERT_PTR_NULL(rank.map);
	look();
	CU_ASSERT_PTR_NULL(rank.map);
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
}

static void a_file_in_the_place_of_the_mapped_one_is_seen(void)
{
	const char *other = scratch_path(dir, "other");

	start();
	file.header.run_id = 6;
	scratch_write(other, &file, sizeof(file));
	CU_ASSERT_EQUAL(rename(other, ring()), 0);
	look_again();
	CU_ASSERT(rank.fresh);
	CU_ASSERT_EQUAL(rank.run_id, 6);
	unlink(ring());
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_NOTHING);
	CU_ASSERT_PTR_NULL(rank.map);
}

/* The process writes to the file that is mapped, whatever the path names by now. */
static void a_brief_look_does_not_ask_for_the_path(void)
{
	start();
	CU_ASSERT_FATAL(rank.process > 0);
	unlink(ring());
	rank.briefly = true;
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
	CU_ASSERT(rank.looked_briefly && rank.cpu_ns > 0);
	rank.briefly = false;
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_NOTHING);
}

static void a_mapped_file_that_becomes_shorter_ends_no_look(void)
{
	start();
	CU_ASSERT_EQUAL(truncate(ring(), 100), 0);
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_NOTHING);
	look();
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
}

/* It is cut between the question for its size and the copy. */
static void a_copy_of_what_is_no_longer_there_is_an_error(void)
{
	struct ring_source from = { .fd = open(scratch_path(dir, "cut"), O_RDWR | O_CREAT, 0600) };
	static uint8_t bytes[3 * 65536];

	CU_ASSERT_EQUAL_FATAL(ftruncate(from.fd, sizeof(bytes)), 0);
	CU_ASSERT_EQUAL_FATAL(ring_source_map(&from, sizeof(bytes)), 0);
	CU_ASSERT_EQUAL(ring_source_read(&from, bytes, 65536, 131072), 65536);
	CU_ASSERT_EQUAL(ring_source_read(&from, bytes, 65536, 196000), 608);
	CU_ASSERT_EQUAL(ring_source_read(&from, bytes, 65536, UINT64_MAX - 8), 0);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(ftruncate(from.fd, 65536), 0);
		CU_ASSERT(ring_source_read(&from, bytes, 65536, 131072) < 0);
		CU_ASSERT_EQUAL(ring_source_read(&from, bytes, 65536, 0), 65536);
		CU_ASSERT_EQUAL(ftruncate(from.fd, sizeof(bytes)), 0);
		CU_ASSERT_EQUAL(ring_source_read(&from, bytes, 65536, 131072), 65536);
	}
	close(from.fd);
	ring_source_unmap(&from);
}

/* The ring's third record repeats the first one. The second one is not copied. */
static void a_copy_of_what_is_new_has_what_it_refers_to(void)
{
	const struct rec_again again = { .type = REC_AGAIN, .op_id_more = 2 };
	const size_t second = sizeof(struct rec_op);
	static struct thread_region t;
	struct ring_source from;
	struct ring_place read;

	start();
	read = (struct ring_place){ .head = file.thread.head };
	add(&again, sizeof(again));
	scratch_write(ring(), &file, sizeof(file));
	from = (struct ring_source){ .fd = open(ring(), O_RDONLY) };
	CU_ASSERT_EQUAL(ring_copy_thread(&from, &file.header.regions[0], &read, &t), 0);
	CU_ASSERT_EQUAL(t.head, file.thread.head);
	CU_ASSERT(memcmp(t.ring, file.thread.ring, second) == 0);
	CU_ASSERT_EQUAL(((struct rec_op *)(t.ring + second))->op_id, 0);
	CU_ASSERT(memcmp(t.ring + read.head, &again, 1) == 0);
	/* of a ring that began anew, all is */
	read.lap++;
	CU_ASSERT_EQUAL(ring_copy_thread(&from, &file.header.regions[0], &read, &t), 0);
	CU_ASSERT(memcmp(t.ring, file.thread.ring, t.head) == 0);
	close(from.fd);
	look_again();
	CU_ASSERT_EQUAL(records, 1);
}

/* A process that waits, and its identity. */
static pid_t waiting_process(struct ring_file *identity)
{
	int done[2];
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		process_identify(identity);
		if (write(done[1], identity, sizeof(*identity)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	CU_ASSERT_EQUAL_FATAL(read(done[0], identity, sizeof(*identity)), sizeof(*identity));
	close(done[0]);
	close(done[1]);
	return pid;
}

static void the_end_of_a_process_is_seen_before_and_after_its_parent_asks(void)
{
	static struct ring_file identity;
	pid_t pid = waiting_process(&identity);

	start_of(&identity);
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_RUNS);
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_DEAD);
	waitpid(pid, NULL, 0);
	look_again();
	CU_ASSERT_EQUAL(rank.state, LIVE_DEAD);
	CU_ASSERT_EQUAL(rank.cpu_ns, -1);
}

static void without_descriptors_the_process_is_asked_for_at_each_look(void)
{
	static struct ring_file identity;
	struct live_buffers *kept = buffers;
	const struct rlimit few = { 70, 70 };
	pid_t child = fork(), pid;
	int status;

	if (child == 0) {
		/* all but six of them are spared */
		setrlimit(RLIMIT_NOFILE, &few);
		buffers = live_buffers_new();
		while (open("/dev/null", O_RDONLY) < 9)
			;
		pid = waiting_process(&identity);
		start_of(&identity);
		status = rank.process != 0 || rank.state != LIVE_RUNS || rank.cpu_ns < 0;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		look_again();
		_exit(status || rank.state != LIVE_DEAD);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	buffers = kept;
}

/* It ends between the mark and the sums. */
static void a_call_that_a_look_sees_half_done_counts_at_the_next(void)
{
	start();
	look();
	look();
	file.thread.now.callsite = 2;
	look();
	CU_ASSERT_EQUAL(rank.sums.calls, 2);
	((struct call_sum *)file.wait)->count++;
	look();
	CU_ASSERT_EQUAL(rank.sums.calls, 3);
	CU_ASSERT_EQUAL(sum_calls, 1);
}

/* Entries that are not in use lie between them. */
static void sums_are_compared_with_those_of_their_places(void)
{
	struct call_sum *sum = (void *)file.wait;

	start();
	sum[3] = (struct call_sum){ .callsite = 5, .count = 10 };
	look();
	CU_ASSERT_EQUAL(rank.sums.calls, 12);
	CU_ASSERT_EQUAL(sum_calls, 10);
	/* sums of a quiet thread are not read */
	file.thread.now.callsite = 4;
	sum[1] = (struct call_sum){ .callsite = 4, .count = 100 };
	sum[3].count += 1000;
	look();
	CU_ASSERT_EQUAL(rank.sums.calls, 1112);
	CU_ASSERT_EQUAL(sum_calls, 1100);
	/* other threads have the table by now */
	file.thread.now.callsite = 7;
	sum[0] = (struct call_sum){ .callsite = 7, .count = 5 };
	sum[1].callsite = 0;
	sum[3].callsite = 8;
	sum[3].count++;
	look();
	CU_ASSERT_EQUAL(rank.sums.calls, 1016);
	CU_ASSERT_EQUAL(sum_calls, 0);
}

static const struct unit_test tests[] = { { "the first look sees all that the ring has",
						  the_first_look_sees_all_that_the_ring_has },
	{ "a record is seen once", a_record_is_seen_once },
	{ "a ring that began anew is seen from its first record on",
		a_ring_that_began_anew_is_seen_from_its_first_record_on },
	{ "an emptied ring has turned without records",
		an_emptied_ring_has_turned_without_records },
	{ "another run in the same file begins anew", another_run_in_the_same_file_begins_anew },
	{ "a look at a rank of this host reads its mapping",
		a_look_at_a_rank_of_this_host_reads_its_mapping },
	{ "the ring of another host is opened at each look",
		the_ring_of_another_host_is_opened_at_each_look },
	{ "a file in the place of the mapped one is seen",
		a_file_in_the_place_of_the_mapped_one_is_seen },
	{ "a brief look does not ask for the path", a_brief_look_does_not_ask_for_the_path },
	{ "a mapped file that becomes shorter ends no look",
		a_mapped_file_that_becomes_shorter_ends_no_look },
	{ "a copy of what is no longer there is an error",
		a_copy_of_what_is_no_longer_there_is_an_error },
	{ "a copy of what is new has what it refers to",
		a_copy_of_what_is_new_has_what_it_refers_to },
	{ "the end of a process is seen before and after its parent asks",
		the_end_of_a_process_is_seen_before_and_after_its_parent_asks },
	{ "without descriptors the process is asked for at each look",
		without_descriptors_the_process_is_asked_for_at_each_look },
	{ "a call that a look sees half done counts at the next",
		a_call_that_a_look_sees_half_done_counts_at_the_next },
	{ "sums are compared with those of their places",
		sums_are_compared_with_those_of_their_places },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	buffers = live_buffers_new();
	failed = buffers ? unit_main("live", tests) : 1;
	live_buffers_free(buffers);
	live_release(&rank);
	scratch_remove(dir);
	return failed;
}
