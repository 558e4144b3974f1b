/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_spool.c: ring and spool are read back, also damaged or while their process runs. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "analysis/format/run/process.h"
#include "analysis/format/run/spool.h"
#include "tests/spoolgen.h"
#include "tests/unit/scratch.h"

enum { RANK = 1 };

static char dir[PATH_MAX];
static struct spoolgen_truth truth;

struct seen {
	uint64_t records, ops, links, sums;
};

static int see_record(void *context, uint32_t thread, const struct rec_head *record)
{
	struct seen *s = context;

	(void)thread;
	s->records++;
	s->links += record->type == REC_LINK;
	s->ops += record->type == REC_OP || record->type == REC_OP2;
	return 0;
}

static int see_entry(void *context, uint32_t thread, const void *entry)
{
	struct seen *s = context;

	(void)thread, (void)entry;
	s->sums++;
	return 0;
}

/* Reads rank RANK whole. Returns spool_open()'s value. */
static int read_all(struct seen *seen, struct spool_damage *damage, enum spool_state *state)
{
	struct spool *spool;
	int rc = spool_open(dir, RANK, NULL, &spool);

	memset(seen, 0, sizeof(*seen));
	if (rc)
		return rc;
	CU_ASSERT_EQUAL(spool_records(spool, see_record, seen), 0);
	CU_ASSERT_EQUAL(spool_entries(spool, REGION_SUMS, see_entry, seen), 0);
	if (damage)
		*damage = *spool_damage(spool);
	if (state)
		*state = spool_state(spool);
	spool_close(spool);
	return 0;
}

static const char *ring_path(void)
{
	return scratch_path(dir, "rank-000001.ring");
}

static const char *spool_path(void)
{
	return scratch_path(dir, "rank-000001.spool");
}

/* A small run anew: about three chunks a rank. */
static void make(bool open)
{
	struct spoolgen g;

	scratch_remove(dir);
	mkdir(dir, 0777);
	spoolgen_init(&g);
	g.dir = dir;
	g.ranks = 2;
	g.rounds = 1400;
	g.open = open;
	if (spoolgen_write(&g, &truth)) {
		perror(dir);
		exit(1);
	}
}

static void patch(const char *path, uint64_t offset, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(pwrite(fd, data, bytes, (off_t)offset), (ssize_t)bytes);
	close(fd);
}

static void a_closed_run_gives_every_record_once(void)
{
	struct spool_damage damage, none = { 0 };
	enum spool_state state;
	struct seen seen;

	make(false);
	CU_ASSERT_EQUAL(read_all(&seen, &damage, &state), 0);
	CU_ASSERT_EQUAL(seen.ops, truth.ops / 2);
	CU_ASSERT_EQUAL(seen.links, 27);
	CU_ASSERT(seen.sums > 3);
	CU_ASSERT_EQUAL(state, SPOOL_CLOSED);
	CU_ASSERT_EQUAL(memcmp(&damage, &none, sizeof(none)), 0);
}

/* The process was killed after write() and before the ring was emptied. */
static void a_chunk_that_is_also_in_the_ring_counts_once(void)
{
	size_t ring_bytes, spool_bytes;
	struct thread_region *t;
	struct chunk c = { .magic = CHUNK_MAGIC };
	struct seen seen;
	uint8_t *ring, *spool;

	make(false);
	ring = scratch_read(ring_path(), &ring_bytes);
	spool = scratch_read(spool_path(), &spool_bytes);
	t = (struct thread_region *)(ring + RING_HEADER_BYTES);
	c.bytes = (uint32_t)t->head;
	c.seq = t->seq;
	c.check = record_check(t->ring, c.bytes);
	spool = realloc(spool, spool_bytes + sizeof(c) + c.bytes);
	memcpy(spool + spool_bytes, &c, sizeof(c));
	memcpy(spool + spool_bytes + sizeof(c), t->ring, c.bytes);
	scratch_write(spool_path(), spool, spool_bytes + sizeof(c) + c.bytes);
	CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), 0);
	CU_ASSERT_EQUAL(seen.ops, truth.ops / 2);
	/* killed in the middle of that write */
	scratch_write(spool_path(), spool, spool_bytes + sizeof(c) + c.bytes / 2);
	CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), 0);
	CU_ASSERT_EQUAL(seen.ops, truth.ops / 2);
	free(ring);
	free(spool);
}

static void a_dead_process_is_told_from_a_living_one(void)
{
	struct ring_file *self = calloc(1, sizeof(*self));
	enum spool_state state;
	struct seen seen;

	make(true);
	CU_ASSERT_EQUAL(read_all(&seen, NULL, &state), 0);
	CU_ASSERT_EQUAL(state, SPOOL_DEAD);
	process_identify(self);
	patch(ring_path(), offsetof(struct ring_file, pid), &self->pid, sizeof(self->pid));
	CU_ASSERT_EQUAL(read_all(&seen, NULL, &state), 0);
	CU_ASSERT_EQUAL(state, SPOOL_ALIVE);
	CU_ASSERT_EQUAL(seen.ops, truth.ops / 2);
	patch(ring_path(), offsetof(struct ring_file, boot_id), "elsewhere", 9);
	CU_ASSERT_EQUAL(read_all(&seen, NULL, &state), 0);
	CU_ASSERT_EQUAL(state, SPOOL_ELSEWHERE);
	free(self);
}

/* What a living process writes after its ring was copied belongs to the next reading. */
static void chunks_beyond_the_copied_ring_are_left_to_the_next_reading(void)
{
	struct ring_file *self = calloc(1, sizeof(*self));
	uint64_t seq = 1, head = 0;
	struct seen seen;

	make(true);
	process_identify(self);
	patch(ring_path(), offsetof(struct ring_file, pid), &self->pid, sizeof(self->pid));
	patch(ring_path(), RING_HEADER_BYTES + offsetof(struct thread_region, seq), &seq,
		sizeof(seq));
	patch(ring_path(), RING_HEADER_BYTES + offsetof(struct thread_region, head), &head,
		sizeof(head));
	CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), 0);
	CU_ASSERT(seen.ops > 500 && seen.ops < 1200);
	free(self);
}

static void a_damaged_chunk_costs_that_chunk_alone(void)
{
	struct spool_damage damage;
	struct seen seen, whole;
	size_t bytes;
	uint8_t *spool;

	make(false);
	read_all(&whole, NULL, NULL);
	spool = scratch_read(spool_path(), &bytes);
	spool[70000] ^= 1;
	scratch_write(spool_path(), spool, bytes);
	CU_ASSERT_EQUAL(read_all(&seen, &damage, NULL), 0);
	CU_ASSERT(seen.records < whole.records && seen.records > whole.records / 3);
	CU_ASSERT_EQUAL(damage.missing_chunks, 1);
	CU_ASSERT(damage.skipped_bytes > 60000 && damage.skipped_bytes < 70000);
	free(spool);
}

static void one_of_the_two_files_is_enough(void)
{
	struct spool_damage damage;
	enum spool_state state;
	struct seen seen;

	make(false);
	unlink(ring_path());
	CU_ASSERT_EQUAL(read_all(&seen, &damage, &state), 0);
	CU_ASSERT(seen.ops > truth.ops / 4 && seen.ops < truth.ops / 2);
	CU_ASSERT(damage.ring_missing);
	CU_ASSERT_EQUAL(state, SPOOL_ELSEWHERE);
	make(false);
	unlink(spool_path());
	CU_ASSERT_EQUAL(read_all(&seen, &damage, &state), 0);
	CU_ASSERT(seen.ops > 0 && damage.spool_missing);
	CU_ASSERT_EQUAL(state, SPOOL_CLOSED);
	unlink(ring_path());
	CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), -ENOENT);
}

static void files_cut_anywhere_give_what_is_left(void)
{
	size_t ring_bytes, spool_bytes;
	uint8_t *ring, *spool;
	uint64_t last = 0;
	struct seen seen;

	make(false);
	ring = scratch_read(ring_path(), &ring_bytes);
	spool = scratch_read(spool_path(), &spool_bytes);
	for (size_t bytes = 0; bytes <= spool_bytes; bytes += spool_bytes / 37) {
		scratch_write(spool_path(), spool, bytes);
		CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), 0);
		CU_ASSERT(seen.records >= last);
		last = seen.records;
	}
	for (size_t bytes = 0; bytes <= ring_bytes; bytes += ring_bytes / 37) {
		scratch_write(ring_path(), ring, bytes);
		CU_ASSERT_EQUAL(read_all(&seen, NULL, NULL), 0);
		CU_ASSERT(seen.ops <= truth.ops / 2);
	}
	free(ring);
	free(spool);
}

static void another_version_and_other_files_are_refused_in_words(void)
{
	struct spool *spool;
	struct say_list said;
	uint32_t version = RECORD_VERSION + 1;

	make(false);
	patch(ring_path(), offsetof(struct ring_file, version), &version, sizeof(version));
	say_list_init(&said);
	CU_ASSERT_EQUAL(spool_open(dir, RANK, &said.say, &spool), -EPROTO);
	CU_ASSERT(scratch_said(&said, "rank-000001.ring': format 10, this tryst reads format 9"));
	scratch_write(ring_path(), "something", 9);
	scratch_write(spool_path(), "else", 4);
	say_list_init(&said);
	CU_ASSERT_EQUAL(spool_open(dir, RANK, &said.say, &spool), -EINVAL);
	CU_ASSERT_EQUAL(scratch_lines(&said), 1);
	CU_ASSERT_PTR_NULL(spool);
}

static void files_behind_symbolic_links_are_not_read(void)
{
	char target[PATH_MAX + 8];
	struct spool *spool;

	make(false);
	snprintf(target, sizeof(target), "%s.real", spool_path());
	rename(spool_path(), target);
	CU_ASSERT_EQUAL(symlink(target, spool_path()), 0);
	unlink(ring_path());
	CU_ASSERT_EQUAL(spool_open(dir, RANK, NULL, &spool), -ELOOP);
}

static void a_spool_of_another_run_is_left_out(void)
{
	struct spool_damage damage;
	uint64_t run_id = 99;
	struct seen seen;

	make(false);
	patch(spool_path(), offsetof(struct spool_file, run_id), &run_id, sizeof(run_id));
	CU_ASSERT_EQUAL(read_all(&seen, &damage, NULL), 0);
	CU_ASSERT(damage.spool_missing);
}

/* A file full of what looks like chunks must not cost the square of its size. */
static void many_false_chunks_cost_bounded_work(void)
{
	size_t bytes = 4 << 20;
	uint8_t *data = calloc(1, bytes);
	struct spool_file head = { SPOOL_MAGIC, RECORD_VERSION, RANK, 0x5eed };
	struct spool_damage damage;
	struct seen seen;

	make(false);
	memcpy(data, &head, sizeof(head));
	for (size_t at = sizeof(head); at + sizeof(struct chunk) < bytes;
		at += sizeof(struct chunk)) {
		struct chunk c = { CHUNK_MAGIC, RING_BYTES, 0, 0, 0 };

		memcpy(data + at, &c, sizeof(c));
	}
	scratch_write(spool_path(), data, bytes);
	CU_ASSERT_EQUAL(read_all(&seen, &damage, NULL), 0);
	CU_ASSERT(damage.skipped_bytes > bytes / 2);
	free(data);
}

static void only_the_files_that_were_read_are_removed(void)
{
	struct spool *spool;

	make(false);
	CU_ASSERT_EQUAL_FATAL(spool_open(dir, RANK, NULL, &spool), 0);
	CU_ASSERT(spool_may_consume(spool, false));
	rename(scratch_path(dir, "rank-000000.spool"), spool_path());
	CU_ASSERT_EQUAL(spool_remove(spool), -ESTALE);
	CU_ASSERT(scratch_exists(spool_path()) && scratch_exists(ring_path()));
	spool_close(spool);
	make(true);
	CU_ASSERT_EQUAL_FATAL(spool_open(dir, RANK, NULL, &spool), 0);
	CU_ASSERT_EQUAL(spool_remove(spool), 0);
	CU_ASSERT(!scratch_exists(spool_path()) && !scratch_exists(ring_path()));
	spool_close(spool);
}

static void the_end_of_a_rank_is_noticed_while_it_is_read(void)
{
	uint32_t closed = RING_CLOSED;
	struct spool *spool;

	make(true);
	CU_ASSERT_EQUAL_FATAL(spool_open(dir, RANK, NULL, &spool), 0);
	CU_ASSERT_FALSE(spool_changed(spool));
	patch(ring_path(), offsetof(struct ring_file, state), &closed, sizeof(closed));
	CU_ASSERT_TRUE(spool_changed(spool));
	spool_close(spool);
	CU_ASSERT_EQUAL_FATAL(spool_open(dir, RANK, NULL, &spool), 0);
	CU_ASSERT_FALSE(spool_changed(spool));
	unlink(ring_path());
	CU_ASSERT_TRUE(spool_changed(spool));
	spool_close(spool);
}

static const struct unit_test tests[] = { { "a closed run gives every record once",
						  a_closed_run_gives_every_record_once },
	{ "a chunk that is also in the ring counts once",
		a_chunk_that_is_also_in_the_ring_counts_once },
	{ "a dead process is told from a living one", a_dead_process_is_told_from_a_living_one },
	{ "chunks beyond the copied ring are left to the next reading",
		chunks_beyond_the_copied_ring_are_left_to_the_next_reading },
	{ "a damaged chunk costs that chunk alone", a_damaged_chunk_costs_that_chunk_alone },
	{ "one of the two files is enough", one_of_the_two_files_is_enough },
	{ "files cut anywhere give what is left", files_cut_anywhere_give_what_is_left },
	{ "another version and other files are refused in words",
		another_version_and_other_files_are_refused_in_words },
	{ "files behind symbolic links are not read", files_behind_symbolic_links_are_not_read },
	{ "a spool of another run is left out", a_spool_of_another_run_is_left_out },
	{ "many false chunks cost bounded work", many_false_chunks_cost_bounded_work },
	{ "the end of a rank is noticed while it is read",
		the_end_of_a_rank_is_noticed_while_it_is_read },
	{ "only the files that were read are removed", only_the_files_that_were_read_are_removed },
	{ NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("spool", tests);
	scratch_remove(dir);
	return failed;
}
