/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_target.c: files of `tryst calibrate` whose values are not what they should be.
 *
 * store_target.c damages bytes; SQLite refuses most of that. Here SQLite finds nothing wrong: an
 * input is a list of edits to the tables of a good file, each 4 bytes long:
 *
 *	which column (of all tables), which row (255: all), which value, or what else is done to the
 *	table (sql_edit.h)
 *
 * What is read afterwards is used by all means that there are: predictions of each model, fits of
 * the samples, the shim's tables, and one use of `tryst model`, which the last byte chooses.
 */
#include "tests/fuzz/target.h"

#include <math.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/model/equations/contention.h"
#include "analysis/model/live/live.h"
#include "analysis/model/models.h"
#include "analysis/model/equations/plogp.h"
#include "analysis/format/links/calibration.h"
#include "analysis/format/links/cache.h"
#include "tests/fuzz/sql_edit.h"
#include "tests/unit/scratch.h"

enum { EDIT_BYTES = 4, EDITS_MAX = 16, LENGTHS = 14, REPEATS = 6 };

static const struct link_key keys[] = { { "cpu", "x" }, { "mpi", "y" } };
static char dir[PATH_MAX];
static FILE *nowhere;
static const struct links_cache cache = { .dir = dir, .keys = keys, .nkeys = 2 };
static uint8_t *good;
static size_t good_bytes;

/* All that can be changed. */
static const struct {
	const char *table, *column;
} columns[] = {
	{ "link_param", "tier" },
	{ "link_param", "peer" },
	{ "link_param", "form" },
	{ "link_param", "layout" },
	{ "link_param", "model" },
	{ "link_param", "name" },
	{ "link_param", "bytes" },
	{ "link_param", "value" },
	{ "link_param", "ci_low" },
	{ "link_param", "reason" },
	{ "fingerprint", "key" },
	{ "fingerprint", "value" },
	{ "calibration_pair", "from_rank" },
	{ "calibration_pair", "tier" },
	{ "calibration_pair", "from_host" },
	{ "sample", "from_rank" },
	{ "sample", "to_rank" },
	{ "sample", "kind" },
	{ "sample", "form" },
	{ "sample", "layout" },
	{ "sample", "flow" },
	{ "sample", "count" },
	{ "sample", "bytes" },
	{ "sample", "delay_ns" },
	{ "sample", "repetition" },
	{ "sample", "truth" },
	{ "sample", "value_ns" },
	{ "fit", "from_rank" },
	{ "fit", "form" },
	{ "fit", "layout" },
	{ "fit", "model" },
	{ "fit", "name" },
	{ "fit", "bytes" },
	{ "fit", "value" },
	{ "fit", "ci_low" },
	{ "fit", "reason" },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Samples that give every model something to fit. */
static size_t make_samples(struct sample *s, size_t room)
{
	size_t n = 0;

	for (int network = 0; network < 2; network++)
		for (int i = 0; i < LENGTHS; i++)
			for (int k = 0; k < REPEATS * 4 && n < room; k++, n++) {
				static const uint8_t kinds[] = { SAMPLE_RTT, SAMPLE_SEND,
					SAMPLE_RECV, SAMPLE_RTT_W };
				uint64_t bytes = 1ull << (i + i / 2);

				s[n] = (struct sample){ .to = 1 + network,
					.kind = kinds[k % 4],
					.same_node = !network,
					.bytes = bytes,
					.delay_ns = k % 4 == 3 ? 1000000 : 0,
					.truth = k / 4 == 5,
					.repetition = (uint32_t)(k / 4),
					.value_ns = 900.0 + k % 3 +
						(double)bytes * (network ? 2 : 0.5) +
						(k % 4 == 3 ? 1000000 : 0) };
			}
	for (uint32_t i = 0; i < 40 && n < room; i++, n++)
		s[n] = (struct sample){ .to = (int32_t)i % 2,
			.kind = (uint8_t)(i % 4 == 0 ? SAMPLE_BURST :
					i % 4 == 1   ? SAMPLE_BURST_SEND :
					i % 4 == 2   ? SAMPLE_TRAIN :
					i % 8 == 3   ? SAMPLE_FLOW :
						       SAMPLE_BROADCAST),
			.flow = (uint8_t)(i % 8 == 3 ? 1 + i / 8 % 5 : 0),
			.count = 1 + i / 4,
			.bytes = 1,
			.value_ns = 1000 + 500.0 * i };
	return n;
}

static int make_file(const char *path)
{
	static struct sample sample[2000];
	struct calibration_pair pair[2] = { { .from = 0, .to = 1, .tier = TIER_NODE },
		{ .from = 0, .to = 2, .tier = TIER_NETWORK } };
	struct calibration_fit fit[32];
	struct calibration c = { .pair = pair, .npairs = 2, .sample = sample, .fit = fit };
	struct rec_link row[3];
	int rc;

	c.nsamples = make_samples(sample, COUNT(sample));
	for (const struct model *const *m = models; *m && c.nfits < COUNT(fit); m++) {
		struct calibration_fit *f = &fit[c.nfits];

		if (!(*m)->fit)
			continue;
		memset(f, 0, sizeof(*f));
		f->to = 1 + (int)c.nfits % 2;
		c.nfits++;
		if (model_fit(&f->params, *m, sample, c.nsamples, &f->findings) < 0)
			return -1;
	}
	for (size_t i = 0; i < COUNT(row); i++) {
		row[i] = (struct rec_link){
			.head = { .type = REC_LINK, .words = sizeof(*row) / 8, .id = TIER_NODE },
			.peer = -1,
			.bytes = i == 2 ? 8 : UINT64_MAX,
			.value = i ? 300 : 4040,
			.ci_low = NAN,
			.ci_high = NAN
		};
		snprintf(row[i].model, sizeof(row[i].model), "LogGPS");
		snprintf(row[i].name, sizeof(row[i].name),
			i == 0         ? "S" :
				i == 1 ? "o" :
					 "residual");
		snprintf(row[i].form, sizeof(row[i].form), i == 2 ? "send" : "");
	}
	rc = calibration_write(path, keys, 2, row, COUNT(row), &c, NULL);
	for (size_t i = 0; i < c.nfits; i++) {
		model_params_release(&fit[i].params);
		model_findings_release(&fit[i].findings);
	}
	return rc;
}

int target_begin(void)
{
	scratch_make(dir);
	if (make_file(scratch_path(dir, "good")) < 0)
		return -1;
	good = scratch_read(scratch_path(dir, "good"), &good_bytes);
	nowhere = fopen("/dev/null", "we");
	return good && nowhere ? 0 : -1;
}

void target_end(void)
{
	fclose(nowhere);
	free(good);
	scratch_remove(dir);
}

static void edit(sqlite3 *db, const uint8_t *e)
{
	const char *table = columns[e[0] % COUNT(columns)].table;
	char where[64] = "";

	if (e[1] != 255 && strcmp(table, "calibration_pair") && strcmp(table, "fingerprint"))
		snprintf(where, sizeof(where), " WHERE rowid %% 256 = %u", e[1]);
	sql_edit(db, table, columns[e[0] % COUNT(columns)].column, where, e[2] % SQL_EDITS);
}

/* Every question to one model's parameters. */
static void ask(const struct model_params *p)
{
	static const int map[] = { 0, 0, 1, 2, 1 };
	static const uint64_t lengths[] = { 0, 1, 4040, 4041, 1 << 20, UINT64_MAX };
	struct contention net;
	struct model_params other;

	for (int q = 0; q < MODEL_QUANTITIES; q++)
		for (size_t i = 0; i < COUNT(lengths); i++) {
			struct model_case c = { .bytes = lengths[i],
				.n = 5,
				.node_of = map,
				.same_node = i % 2,
				.delay_ns = i % 3 * 1e6 };

			model_predict(p, (enum model_quantity)q, &c, NULL);
		}
	if (p->model == &model_plogp) {
		model_params_init(&other, &model_loggp_1);
		plogp_convert(p, &other);
		model_params_release(&other);
	}
	contention_of(p, &net);
	if (p->model == &model_mm && contention_known(&net)) {
		struct flow flow[] = { { .from = 0, .to = 1, .bytes = 100 },
			{ .from = 0, .to = 2, .start_ns = 5, .bytes = 1 << 20 },
			{ .from = 2, .to = 0, .start_ns = 1e6, .bytes = 9 },
			{ .from = 1, .to = 1, .bytes = 7 } };

		contention_run(&net, flow, COUNT(flow));
	}
}

static void use(const struct calibration *c)
{
	for (size_t i = 0; i < c->nfits; i++) {
		const struct model_params *p = &c->fit[i].params;

		for (size_t k = 0; k < p->nvalues; k++) {
			const struct model_param *d = &p->model->param[p->value[k].param];

			if (p->value[k].value < d->low || p->value[k].value > d->high)
				abort(); /* a value that cannot be must not be read */
		}
		ask(p);
	}
	for (const struct model *const *m = models; *m; m++) {
		struct model_params p;
		struct model_findings f;

		if (model_fit(&p, *m, c->sample, c->nsamples, &f) == 0)
			ask(&p);
		model_params_release(&p);
		model_findings_release(&f);
	}
}

static void use_links(const char *path)
{
	struct cached_sets sets;
	struct link_file file;
	static struct live_link link;

	if (links_read(path, NULL, 0, &file, NULL) == 0)
		for (int tier = 0; tier < TIER_COUNT; tier++)
			live_link_from_rows(file.link, file.nlinks, tier, &link);
	links_release(&file);
	links_cache_read(&cache, &sets, NULL);
	cached_sets_release(&sets);
}

/* The command `tryst model`, which prints. */
static void use_command(char *path, unsigned which)
{
	static char words[][24] = { "model", "show", "predict", "compare", "--format=json",
		"--refit", "--model=PLogP", "--model=MM", "--map=2x2", "--hosts=4",
		"--convert=LogP" };
	static const uint8_t uses[][4] = { { 1 }, { 1, 4 }, { 2 }, { 2, 6 }, { 2, 6, 10 },
		{ 2, 7, 9 }, { 2, 7, 8 }, { 2, 8 }, { 3 }, { 3, 4 }, { 3, 5 } };
	static _Alignas(16) char values[1024];
	const struct subcommand *cmd = subcommand_find(words[0]);
	char *argv[8] = { words[0] };
	FILE *out = stdout, *err = stderr;
	int argc = 1, noperands, help;

	for (const uint8_t *word = uses[which % COUNT(uses)]; *word; word++)
		argv[argc++] = words[*word];
	argv[argc++] = path;
	if (cmd->options_size > sizeof(values))
		abort();
	stdout = stderr = nowhere;
	if (options_read(cmd, argc, argv, values, &noperands, &help) != CMD_OK || help ||
		noperands != 2)
		abort();
	cmd->run(values, noperands, argv + 1);
	stdout = out;
	stderr = err;
}

int target_run(const uint8_t *data, size_t size)
{
	struct calibration c;
	struct say_list said;
	char path[PATH_MAX];
	sqlite3 *db = NULL;
	int rc;

	if (links_cache_path(&cache, 0, path, sizeof(path)) != 0)
		abort();
	scratch_write(path, good, good_bytes);
	if (sqlite3_open(path, &db) == SQLITE_OK) {
		sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL,
			NULL, NULL);
		for (size_t n = 0; n < EDITS_MAX && (n + 1) * EDIT_BYTES <= size; n++)
			edit(db, data + n * EDIT_BYTES);
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	}
	sqlite3_close(db);
	say_list_init(&said);
	rc = calibration_read(path, &c, &said.say);
	if (rc == 0)
		use(&c);
	else if (said.used == 0 || !strstr(say_list_next(&said, NULL), path))
		abort(); /* an error must be said, with the file's name */
	calibration_release(&c);
	use_links(path);
	use_command(path, size ? data[size - 1] : 0);
	return rc == 0;
}
