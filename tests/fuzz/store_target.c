/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_target.c: damaged files for everything in analysis/format that reads, and for what merges
 * ranks.
 *
 * An input is a kind of file and a list of edits to a good one, so that small inputs reach deep:
 *
 *	byte 0      bits 0-1: 0 ring and spool, 1 a rank's database, 2 link parameters, 3 a rank's
 *		    database whose writer was killed, and its journal;
 *	            bit 2: of a spool: the checksums of its chunks are made right again after the
 *		    edits; of a database: it is merged with whole ones, and their messages are
 *		    matched; with bit 3, as if there were too many ops;
 *	            bits 4-7: 0, or which fifteenth of the tables and views is read: to ask for all
 *		    takes longest
 *	12 bytes    an edit: operation, 3 bytes of length or nothing, position, value: see edit().
 *	            Bit 7 of the operation: the spool instead of the ring, the journal instead of
 *		    the database.
 *
 * What is read is printed: as JSON that is valid, and as text without control characters.
 */
#include "tests/fuzz/output.h"
#include "tests/fuzz/target.h"

#include <math.h>

#include "record.h"
#include "analysis/merge/merge.h"
#include "analysis/match/match.h"
#include "analysis/model/models.h"
#include "analysis/format/links/calibration.h"
#include "analysis/format/db/db.h"
#include "analysis/format/db/small_file.h"
#include "analysis/format/links/links.h"
#include "analysis/format/db/pages.h"
#include "analysis/format/rows/rows.h"
#include "analysis/text/table.h"
#include "analysis/top/rows.h"
#include "tests/spoolgen.h"
#include "tests/unit/scratch.h"

enum { EDIT_BYTES = 12, EDITS_MAX = 64, STEPS_MAX = 500000, PARTS = 15 };

struct contents {
	uint8_t *data;
	size_t bytes;
};

static char dir[PATH_MAX];
static struct contents ring, spool, database, links, cut, journal;

static struct contents contents_of(const char *path)
{
	struct contents i;

	i.data = scratch_read(path, &i.bytes);
	return i;
}

static int make_links(const char *path)
{
	static const struct link_key keys[] = { { "cpu", "x" }, { "mpi", "y" } };
	struct rec_link rows[40];
	struct sample sample[20];
	struct calibration_pair pair = { .from = 0, .to = 1, .tier = TIER_NODE };
	struct calibration_fit fit = { .from = 0, .to = 1 };
	struct calibration c = { .pair = &pair,
		.npairs = 1,
		.sample = sample,
		.nsamples = 20,
		.fit = &fit,
		.nfits = 1 };
	int rc;

	for (int i = 0; i < 40; i++) {
		rows[i] = (struct rec_link){ .head = { REC_LINK, 0, sizeof(rows[0]) / 8,
						     (uint32_t)i % 3 },
			.peer = i % 5 - 1,
			.bytes = (uint64_t)i,
			.value = i,
			.ci_low = NAN,
			.ci_high = NAN,
			.model = "LogGPS",
			.source = "measured" };
		snprintf(rows[i].name, sizeof(rows[i].name), "p%d", i);
	}
	model_params_init(&fit.params, &model_plogp);
	for (int i = 0; i < 20; i++) {
		sample[i] = (struct sample){ .from = 0,
			.to = 1,
			.kind = (uint8_t)(i % SAMPLE_KINDS),
			.bytes = (uint64_t)i << i,
			.value_ns = i };
		model_set(&fit.params, 1 + i % 4, (uint64_t)i, i % 3 ? i : NAN, NAN, NAN, NULL);
	}
	rc = calibration_write(path, keys, 2, rows, 40, &c, NULL);
	model_params_release(&fit.params);
	return rc;
}

/*
 * A database as a writer leaves it that is killed in a transaction, with the journal that undoes
 * it.
 */
static int make_journal(const char *path, const char *journal_path)
{
	sqlite3 *db = NULL;
	int code = sqlite3_open(path, &db);

	if (code == SQLITE_OK)
		code = sqlite3_exec(db,
			"PRAGMA cache_size = 4; PRAGMA journal_mode = DELETE; BEGIN;"
			" UPDATE op_row SET bytes = bytes + 1; DELETE FROM busy_row",
			NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_db_cacheflush(db);
	cut = contents_of(path);
	journal = contents_of(journal_path);
	sqlite3_close(db);
	return code == SQLITE_OK && journal.bytes > 512 ? 0 : -1;
}

int target_begin(void)
{
	static const struct rows_options keep = { .keep = true };
	struct spoolgen_truth truth;
	struct spoolgen g;

	scratch_make(dir);
	spoolgen_init(&g);
	g.dir = dir;
	g.ranks = 3;
	g.rounds = 800;
	g.open = true;
	if (spoolgen_write(&g, &truth) || rows_write(dir, 0, &keep, NULL, NULL) ||
		rows_write(dir, 1, &keep, NULL, NULL) || rows_write(dir, 2, &keep, NULL, NULL) ||
		make_links(scratch_path(dir, "links")))
		return -1;
	ring = contents_of(scratch_path(dir, "rank-000001.ring"));
	spool = contents_of(scratch_path(dir, "rank-000001.spool"));
	database = contents_of(scratch_path(dir, "rank-000001.db"));
	links = contents_of(scratch_path(dir, "links"));
	if (make_journal(scratch_path(dir, "rank-000001.db"),
		    scratch_path(dir, "rank-000001.db-journal")))
		return -1;
	return 0;
}

void target_end(void)
{
	free(ring.data);
	free(spool.data);
	free(database.data);
	free(links.data);
	free(cut.data);
	free(journal.data);
	scratch_remove(dir);
}

static struct contents copy_of(const struct contents *from)
{
	struct contents copy = { malloc(from->bytes + 1), from->bytes };

	memcpy(copy.data, from->data, from->bytes);
	return copy;
}

static void edit(struct contents *i, const uint8_t *e)
{
	uint32_t position, length = (uint32_t)e[1] | (uint32_t)e[2] << 8 | (uint32_t)e[3] << 16;
	size_t at, left;

	memcpy(&position, e + 4, 4);
	if (i->bytes == 0)
		return;
	at = position % i->bytes;
	left = i->bytes - at;
	switch (e[0] & 7) {
	case 0: /* up to four bytes */
	case 1:
	case 2:
	case 3:
		length = (e[0] & 3) + 1u;
		memcpy(i->data + at, e + 8, length < left ? length : left);
		break;
	case 4: /* the end */
		i->bytes = at;
		break;
	case 5: /* a stretch of one value */
		memset(i->data + at, e[8], length < left ? length : left);
		break;
	case 6: /* a stretch from elsewhere */
		memcpy(&position, e + 8, 4);
		position %= i->bytes;
		if (length > left)
			length = (uint32_t)left;
		if (length > i->bytes - position)
			length = (uint32_t)(i->bytes - position);
		memmove(i->data + at, i->data + position, length);
		break;
	default: /* one bit */
		i->data[at] ^= (uint8_t)(1 << (e[8] & 7));
		break;
	}
}

/* So that edits inside chunks are read and not skipped. */
static void mend_checksums(struct contents *i)
{
	size_t at = sizeof(struct spool_file);
	struct chunk c;

	while (at + sizeof(c) <= i->bytes) {
		memcpy(&c, i->data + at, sizeof(c));
		if (c.magic != CHUNK_MAGIC || c.bytes > i->bytes - at - sizeof(c) || c.bytes % 8)
			return;
		uint64_t *words = malloc(c.bytes + 8);

		memcpy(words, i->data + at + sizeof(c), c.bytes);
		c.check = record_check(words, c.bytes);
		free(words);
		memcpy(i->data + at, &c, sizeof(c));
		at += sizeof(c) + c.bytes;
	}
}

static int stop(void *context)
{
	(void)context;
	return 1;
}

static void read_pages(const char *path)
{
	static const char *const tables[] = { "op_row", "coll_row", "busy_row", "frame_row" };
	struct pages_cursor cursor;
	struct pages_file file;
	struct row row[64];
	uint32_t got = 64;

	if (pages_open(path, &file))
		return;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++, got = 64) {
		pages_seek(&cursor, pages_root(&file, tables[i]), 1LL << 40);
		while (got == 64 && pages_read(&file, &cursor, ROW_COLUMNS, row, 64, &got) == 0)
			;
	}
	pages_close(&file);
}

enum { ROOTS = 64 };

struct roots {
	int64_t page[ROOTS];
	int n;
};

static int note_root(void *context, const struct small_row *r)
{
	struct roots *roots = context;

	if (r->n > 3 && r->value[3].kind == VALUE_INTEGER && roots->n < ROOTS)
		roots->page[roots->n++] = r->value[3].integer;
	return 0;
}

/* Every byte of the row. */
static int add_bytes(void *context, const struct small_row *r)
{
	uint64_t *sum = context;

	for (int i = 0; i < r->n; i++) {
		*sum += (uint64_t)r->value[i].integer;
		if (r->value[i].kind == VALUE_TEXT || r->value[i].kind == VALUE_BLOB)
			for (uint32_t b = 0; b < r->value[i].bytes; b++)
				*sum += (uint8_t)r->value[i].text[b];
	}
	return 0;
}

static void read_image(const char *path)
{
	struct roots roots = { .n = 0 };
	struct small_file file;
	volatile uint64_t seen;
	uint64_t sum = 0;

	if (small_file_open(path, 1 << 20, &file))
		return;
	small_file_each(&file, 1, note_root, &roots);
	for (int i = 0; i < roots.n; i++)
		small_file_each(&file, (uint32_t)roots.page[i], add_bytes, &sum);
	seen = sum;
	(void)seen;
	small_file_close(&file);
}

/* Reads what a reader may ask for: all, or part 1, 2, ... of PARTS. */
static void read_database(const char *path, unsigned part)
{
	sqlite3_stmt *views = NULL, *stmt;
	struct say_list said;
	struct output out;
	bool as_text = false;
	unsigned n = 0;
	sqlite3 *db;

	read_pages(path);
	read_image(path);
	say_list_init(&said);
	if (db_open(path, DB_READ, &db, &said.say))
		return;
	/* a damaged table can be endless */
	sqlite3_progress_handler(db, STEPS_MAX, stop, NULL);
	db_check(db, path, &said.say);
	sqlite3_prepare_v2(db,
		"SELECT 'SELECT * FROM \"' || replace(name, '\"', '\"\"') || '\" LIMIT 50'"
		" FROM sqlite_master WHERE type IN ('view', 'table')",
		-1, &views, NULL);
	while (views && sqlite3_step(views) == SQLITE_ROW) {
		const char *sql = (const char *)sqlite3_column_text(views, 0);

		if (part && n++ % PARTS != part - 1)
			continue;
		if (sql && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK) {
			table_print(output_begin(&out), stmt, as_text ? TABLE_PLAIN : TABLE_JSON, 0,
				NULL);
			output_end(&out, as_text ? OUTPUT_TEXT : OUTPUT_JSON);
			sqlite3_finalize(stmt);
			as_text = !as_text;
		}
	}
	sqlite3_finalize(views);
	sqlite3_close(db);
}

/* Before and behind the damaged file is a whole one. */
static void merge_database(bool waits_only)
{
	const char *path = scratch_path(dir, "run.db");
	struct merge_result merged;
	struct match_result matched;
	struct db_ranks list;
	struct say_list said;
	sqlite3 *db;

	say_list_init(&said);
	if (db_ranks_list(dir, &list, &said.say))
		abort();
	if (merge_ranks(&list, path, waits_only ? 1 : MERGE_MAX_OPS, &said.say, &merged) ||
		merged.ranks + merged.left_out != list.nranks || merged.left_out > 1 ||
		db_open(path, DB_WRITE, &db, &said.say))
		abort();
	if (db_check(db, path, &said.say))
		abort(); /* what damage was read may not be handed on */
	match_run(db, &(struct match_options){ .memory = 1 << 20 }, &matched, &said.say);
	sqlite3_close(db);
	db_ranks_release(&list);
	unlink(path);
}

/* Two looks of `tryst top` at the rank. */
static void run_top(void)
{
	static const struct top_view view = { SORT_WAIT, SHOW_ALL, 0 };
	struct top top;
	struct output out;

	if (top_open(&top, dir, NULL) == 0 && top_look(&top, NULL) == 0 &&
		top_look(&top, NULL) == 0) {
		top_print(output_begin(&out), &top, &view, TABLE_TEXT, 80);
		output_end(&out, OUTPUT_TEXT);
		top_print(output_begin(&out), &top, &view, TABLE_JSON, 0);
		output_end(&out, OUTPUT_JSON);
	}
	top_close(&top);
}

static void run_spool(const struct contents *r, const struct contents *s, unsigned part)
{
	const char *path = scratch_path(dir, "rank-000001.db");
	static const struct rows_options keep = { .keep = true };
	struct rows_result result;
	struct say_list said;

	say_list_init(&said);
	scratch_write(scratch_path(dir, "rank-000001.ring"), r->data, r->bytes);
	scratch_write(scratch_path(dir, "rank-000001.spool"), s->data, s->bytes);
	unlink(path);
	run_top();
	if (rows_write(dir, 1, &keep, &result, &said.say) == 0)
		read_database(path, part);
	else if (said.used == 0)
		abort(); /* an error must be said */
}

static void run_links(const struct contents *i)
{
	const char *path = scratch_path(dir, "links");
	struct link_file file;
	struct calibration c;

	scratch_write(path, i->data, i->bytes);
	links_read(path, NULL, 0, &file, NULL);
	links_release(&file);
	calibration_read(path, &c, NULL);
	calibration_release(&c);
}

/* One kind of file with what `data` does to it. */
static void run_edits(unsigned kind, const uint8_t *data, size_t size)
{
	const char *path = scratch_path(dir, "rank-000001.db");
	struct contents first = copy_of(kind == 1 ? &database :
			kind == 2                 ? &links :
			kind == 3                 ? &cut :
						    &ring);
	struct contents second = copy_of(kind == 3 ? &journal : &spool);

	for (size_t n = 0; n < EDITS_MAX && 1 + (n + 1) * EDIT_BYTES <= size; n++) {
		const uint8_t *e = data + 1 + n * EDIT_BYTES;

		edit(e[0] & 0x80 && (kind == 0 || kind == 3) ? &second : &first, e);
	}
	if (kind == 0 && size && data[0] & 4)
		mend_checksums(&second);
	if (kind & 1) {
		scratch_write(path, first.data, first.bytes);
		if (kind == 3)
			scratch_write(scratch_path(dir, "rank-000001.db-journal"), second.data,
				second.bytes);
		read_database(path, data[0] >> 4);
		if (data[0] & 4)
			merge_database(data[0] & 8);
		unlink(scratch_path(dir, "rank-000001.db-journal"));
	} else if (kind == 2) {
		run_links(&first);
	} else {
		run_spool(&first, &second, size ? data[0] >> 4 : 0);
	}
	free(first.data);
	free(second.data);
}

int target_run(const uint8_t *data, size_t size)
{
	run_edits(size ? data[0] & 3 : 0, data, size);
	return 1;
}
