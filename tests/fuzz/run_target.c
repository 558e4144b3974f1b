/* SPDX-License-Identifier: BSD-3-Clause */
/* run_target.c: reads a run whose values are wrong by all means that there are (run_target.h). */
#include "tests/fuzz/output.h"
#include "tests/fuzz/run_target.h"
#include "tests/fuzz/target.h"

#include <errno.h>

#include "analysis/dataset/dataset.h"
#include "analysis/diff/diff.h"
#include "analysis/export/export.h"
#include "analysis/html/html.h"
#include "analysis/match/match.h"
#include "analysis/merge/merge.h"
#include "analysis/replay/load.h"
#include "analysis/replay/tables.h"
#include "analysis/report/report.h"
#include "analysis/format/rows/rows.h"
#include "tests/fuzz/sql_edit.h"
#include "tests/spoolgen.h"
#include "tests/unit/scratch.h"

enum { RANKS = 3, EDITS_MAX = 16, NAME_BYTES = 64, COLUMNS_MAX = 512 };

static char dir[PATH_MAX];
static uint8_t *good;
static size_t good_bytes;
static struct column {
	char table[NAME_BYTES], name[NAME_BYTES];
} columns[COLUMNS_MAX];
static size_t ncolumns;

/* Rows of which a simulated run has none. */
static const char more_rows_sql[] = "INSERT INTO rma_row (id, call, object, peer, bytes, enter, "
				    "span, thread, callsite, done, gap, complete) SELECT id, code "
				    "& 1023, 1, peer, bytes, post, span, 0, callsite, done, gap, "
				    "complete FROM op_row WHERE id & 7 = 1;"
				    "INSERT INTO io_row SELECT * FROM rma_row WHERE id & 15 = 1";

static const char names_sql[] = "UPDATE run SET value = " SQL_EDIT_NAME
				" WHERE key IN ('program', 'arguments', 'host', 'mpi_library');"
				"INSERT OR IGNORE INTO run SELECT rank, 'arguments', " SQL_EDIT_NAME
				" FROM run WHERE key = 'world_size';"
				"UPDATE comm_row SET name = " SQL_EDIT_NAME
				"; UPDATE module_row SET path = '/' || " SQL_EDIT_NAME ";"
				"UPDATE frame_row SET function = " SQL_EDIT_NAME
				", file = " SQL_EDIT_NAME ", line = 1 WHERE callsite & 1";

static int list_columns(sqlite3 *db)
{
	sqlite3_stmt *s;

	if (sqlite3_prepare_v2(db,
		    "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p"
		    " WHERE m.type = 'table' ORDER BY m.name, p.cid",
		    -1, &s, NULL) != SQLITE_OK)
		return -1;
	for (; ncolumns < COLUMNS_MAX && sqlite3_step(s) == SQLITE_ROW; ncolumns++) {
		snprintf(columns[ncolumns].table, NAME_BYTES, "%s", sqlite3_column_text(s, 0));
		snprintf(columns[ncolumns].name, NAME_BYTES, "%s", sqlite3_column_text(s, 1));
	}
	sqlite3_finalize(s);
	return ncolumns > 0 ? 0 : -1;
}

static int make_run(const char *path)
{
	static const struct rows_options whole;
	struct match_result matched;
	struct merge_result merged;
	struct spoolgen_truth truth;
	struct db_ranks list;
	struct spoolgen g;
	sqlite3 *db;
	int rc;

	spoolgen_init(&g);
	g.dir = dir;
	g.ranks = RANKS;
	g.rounds = 60;
	g.ranks_per_node = 2;
	g.skewed = true;
	g.open = true;
	if (spoolgen_write(&g, &truth))
		return -1;
	for (int rank = 0; rank < RANKS; rank++)
		if (rows_write(dir, rank, &whole, NULL, NULL))
			return -1;
	if (db_ranks_list(dir, &list, NULL))
		return -1;
	rc = merge_ranks(&list, path, MERGE_MAX_OPS, NULL, &merged);
	db_ranks_release(&list);
	if (rc || db_open(path, DB_WRITE, &db, NULL))
		return -1;
	rc = match_run(db, &(struct match_options){ .memory = 1 << 20 }, &matched, NULL);
	if (!rc &&
		(sqlite3_exec(db, more_rows_sql, NULL, NULL, NULL) != SQLITE_OK ||
			sqlite3_exec(db, names_sql, NULL, NULL, NULL) != SQLITE_OK))
		rc = -1;
	if (!rc)
		rc = list_columns(db);
	sqlite3_close(db);
	return rc;
}

int target_begin(void)
{
	scratch_make(dir);
	if (make_run(scratch_path(dir, "good.db")))
		return -1;
	good = scratch_read(scratch_path(dir, "good.db"), &good_bytes);
	return 0;
}

void target_end(void)
{
	free(good);
	scratch_remove(dir);
}

size_t run_target_columns(void)
{
	return ncolumns;
}

size_t run_target_column(const char *table, const char *name)
{
	size_t c = 0;

	while (c < ncolumns && (strcmp(columns[c].table, table) || strcmp(columns[c].name, name)))
		c++;
	return c;
}

static int edit_rows(sqlite3 *db, const struct column *c, const char *where, uint8_t what)
{
	return what == 255 ? sql_edit_set(db, c->table, c->name, where, SQL_EDIT_NAME) :
			     sql_edit(db, c->table, c->name, where, what % SQL_EDITS);
}

static void edit(sqlite3 *db, const uint8_t *e)
{
	const struct column *c = &columns[(e[0] | (size_t)e[3] << 8) % ncolumns];
	char where[128] = "";

	if (e[1] != 255 && strcmp(c->table, "run") == 0)
		snprintf(where, sizeof(where),
			" WHERE key = (SELECT key FROM run GROUP BY key LIMIT 1"
			" OFFSET %u %% (SELECT count(DISTINCT key) FROM run))",
			e[1]);
	else if (e[1] != 255)
		snprintf(where, sizeof(where), " WHERE rowid %% 256 = %u", e[1]);
	if (edit_rows(db, c, where, e[2]) == SQLITE_OK || e[1] == 255)
		return;
	/* tables without rowid begin with the rank */
	snprintf(where, sizeof(where), " WHERE rank = %u", e[1] % RANKS);
	edit_rows(db, c, where, e[2]);
}

static int print_report(struct dataset *data, enum table_format format, bool one_side)
{
	struct report_layout layout = { .format = format, .columns = 100, .top = 5 };
	const enum output_kind kind = format == TABLE_JSON ? OUTPUT_JSON :
		format == TABLE_TEXT                       ? OUTPUT_TEXT :
							     OUTPUT_CSV;
	struct output out;
	const char *unknown;
	int rc = report_prepare(data->db, one_side, &layout.analyzed);

	if (rc)
		return rc;
	rc = report_print(output_begin(&out), data->db, report_sections, &layout, &unknown);
	output_end(&out, kind);
	return rc;
}

/* Each block of data in the page is JSON. No name has become a script. */
static void check_page(char *page)
{
	static const char begin[] = "<script type=\"application/json\" id=\"", end[] = "</script>";
	char *at = strstr(page, begin), *until;

	if (!at)
		abort();
	for (; at && strncmp(at, begin, strlen(begin)) == 0; at = until + strlen(end) + 1) {
		at = strchr(at, '\n') + 1;
		until = strstr(at, end);
		if (!until || memchr(at, '<', (size_t)(until - at)))
			abort();
		*until = '\0';
		output_check(at, (size_t)(until - at), OUTPUT_JSON);
	}
	/* d3 and the page's program */
	if (strncmp(at, "<script>\n", 9) != 0)
		abort();
}

static int write_page(struct dataset *data, const struct say *say)
{
	struct report_layout layout = { .format = TABLE_JSON, .columns = 100, .top = 1000 };
	struct html_page page = { .title = "<run>",
		.sections = report_sections,
		.data = &layout,
		.tables = html_tables,
		.db = data->db,
		.say = say };
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	int rc = out ? report_prepare(data->db, false, &layout.analyzed) : -ENOMEM;

	if (!rc) {
		page.run = layout.analyzed ? data->db : NULL;
		rc = html_write(out, &page);
	}
	if (out)
		fclose(out);
	if (!rc)
		check_page(text);
	free(text);
	return rc;
}

static int print_diff(struct dataset *data, const struct say *say)
{
	static const struct dataset_options plain;
	const struct report_layout layout = { .format = TABLE_TEXT, .columns = 100, .top = 5 };
	sqlite3 *diff = diff_open(), *failed;
	struct dataset other = { 0 };
	struct output out;
	const char *unknown;
	bool analyzed[2];
	int rc = -1;

	if (diff && dataset_open(scratch_path(dir, "good.db"), &plain, say, &other) == 0 &&
		report_prepare(data->db, false, &analyzed[0]) == 0 &&
		report_prepare(other.db, false, &analyzed[1]) == 0 &&
		diff_take(diff, 0, data->db, "A", analyzed[0], &failed) == SQLITE_OK &&
		diff_take(diff, 1, other.db, "B", analyzed[0], &failed) == SQLITE_OK &&
		diff_compare(diff) == SQLITE_OK) {
		rc = report_print(output_begin(&out), diff, diff_sections, &layout, &unknown);
		output_end(&out, OUTPUT_TEXT);
	}
	sqlite3_close(diff);
	dataset_close(&other);
	return rc;
}

static void check_file(const char *path)
{
	size_t bytes;
	char *text = (char *)scratch_read(path, &bytes);

	text = realloc(text, bytes + 1);
	if (!text)
		abort();
	text[bytes] = '\0';
	output_check(text, bytes, OUTPUT_JSON);
	free(text);
}

static int write_export(
	struct dataset *data, const struct export_format *format, const struct say *say)
{
	char target[PATH_MAX];
	struct export_run run;
	int rc = format->absent ? 0 : export_open(&run, data->db, dir, say);

	if (rc || format->absent)
		return rc;
	/* scratch_path() gives the same room each time */
	snprintf(target, sizeof(target), "%s", scratch_path(dir, "export"));
	if (format->is_directory && mkdir(target, 0700) != 0)
		abort();
	rc = format->write(&run, target);
	export_close(&run);
	if (rc == 0 && format == &export_chrome)
		check_file(target);
	if (unlink(target) != 0)
		scratch_remove(target);
	return rc;
}

/* As `tryst predict` does, under changes of all kinds. */
static int predict(struct dataset *data, const struct say *say)
{
	const struct replay_changes changes = {
		.set = "L*2", .speed = "rank:1=2", .add = "rank:0@1=1ms", .no_waits = "late_sender"
	};
	struct replay_scenario scenario = { 0 };
	struct replay_result before = { 0 }, same = { 0 }, after = { 0 };
	struct replay_graph g = { 0 };
	int rc = replay_load(data->db, &g, say);

	/* a change that this run does not take leaves the rest */
	if (!rc)
		replay_scenario_read(data->db, &g, &changes, &scenario, say);
	if (!rc)
		rc = replay_run(&g, &(struct replay_scenario){ .corrects = true }, &same);
	if (!rc)
		rc = replay_run_path(&g, NULL, &before);
	if (!rc)
		rc = replay_run_path(&g, &scenario, &after);
	if (!rc)
		rc = replay_tables(data->db, &g, &scenario, &before, &same, &after, say);
	replay_result_release(&before);
	replay_result_release(&same);
	replay_result_release(&after);
	replay_scenario_release(&scenario);
	replay_graph_release(&g);
	return rc;
}

static int analyze(const char *path, const struct say *say)
{
	struct match_result matched;
	sqlite3 *db;
	int rc = db_open(path, DB_WRITE, &db, say);

	if (rc)
		return rc;
	rc = match_run(db, &(struct match_options){ .memory = 1 << 20 }, &matched, say);
	sqlite3_close(db);
	return rc;
}

/* What cannot be read is told by SQLite's message or by a line. */
static int read_by(unsigned reader, const char *path, const struct say *say)
{
	static const struct dataset_options plain;
	struct dataset data;
	int rc = reader == 0 ? analyze(path, say) : 0;

	if (rc || dataset_open(path, &plain, say, &data))
		return -1;
	switch (reader) {
	case 0:
		rc = print_report(&data, TABLE_TEXT, false);
		break;
	case 1:
		rc = print_report(&data, TABLE_JSON, false);
		break;
	case 2:
		rc = print_report(&data, TABLE_SPREADSHEET, true);
		break;
	case 3:
		rc = print_diff(&data, say);
		break;
	case 4:
		rc = write_export(&data, &export_chrome, say);
		break;
	case 5:
		rc = write_export(&data, &export_otf2, say);
		break;
	case 6:
		rc = predict(&data, say);
		break;
	default:
		rc = write_page(&data, say);
	}
	dataset_close(&data);
	return rc;
}

int target_run(const uint8_t *data, size_t size)
{
	const char *path = scratch_path(dir, "edited.db");
	struct say_list said;
	sqlite3 *db = NULL;

	scratch_write(path, good, good_bytes);
	if (sqlite3_open(path, &db) == SQLITE_OK) {
		sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL,
			NULL, NULL);
		for (size_t n = 0; n < EDITS_MAX && 1 + (n + 1) * RUN_EDIT_BYTES <= size; n++)
			edit(db, data + 1 + n * RUN_EDIT_BYTES);
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	}
	sqlite3_close(db);
	say_list_init(&said);
	return read_by(size ? data[0] % RUN_READERS : 1, path, &said.say) == 0;
}
