/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c: what a look found, in words and numbers. Text and data have the same columns; text leaves
 * out some.
 */
#include <config.h>

#include "analysis/top/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/text/terminal.h"

enum { NAMED_RANKS = 8, NAMED_IN_TEXT = 3, TOLD_ORIGINS = 3, PLACE_BYTES = 512 };

#define UNPREDICTED 0.1 /* a larger share is told */

static const char *const state_words[RANK_STATES] = {
	[RANK_WAITING] = "waiting",
	[RANK_IN_MPI] = "in MPI",
	[RANK_COMPUTING] = "computing",
	[RANK_NO_CPU] = "no CPU",
	[RANK_IDLE] = "idle",
	[RANK_STARTING] = "in MPI_Init",
	[RANK_STOPPED] = "not recorded",
	[RANK_ENDED] = "ended",
	[RANK_EXITED] = "exited",
	[RANK_DIED] = "died",
	[RANK_UNREADABLE] = "unreadable",
};

static const char *cause_word(unsigned cause)
{
	switch (cause) {
	case CAUSE_LATE_SENDER:
		return "late_sender";
	case CAUSE_LATE_RECEIVER:
		return "late_receiver";
	case CAUSE_LATE_PROGRESS:
		return "late_progress";
	case CAUSE_FLOW_CONTROL:
		return "flow_control";
	case CAUSE_COLLECTIVE_SKEW:
		return "collective_skew";
	default:
		return NULL;
	}
}

/* Rows in their order. */
struct rows {
	struct top *t;
	const struct top_view *view;
	const struct rank **row;
	uint32_t n, at;
	const struct column *column;
	bool for_people;
	char text[PLACE_BYTES]; /* of the cell */
};

static bool is_shown(const struct rank *r, enum top_show show)
{
	switch (show) {
	case SHOW_WAITING:
		return r->state == RANK_WAITING;
	case SHOW_COMPUTING:
		return r->state >= RANK_COMPUTING && r->state <= RANK_IDLE;
	case SHOW_RUNNING:
		return r->state < RANK_ENDED;
	case SHOW_ENDED:
		return r->state >= RANK_ENDED;
	default:
		return true;
	}
}

static int down(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_rank(const void *a, const void *b)
{
	int32_t x = (*(const struct rank *const *)a)->live.rank;
	int32_t y = (*(const struct rank *const *)b)->live.rank;

	return (x > y) - (x < y);
}

/* Ranks that died, then those that wait for long, then by the share of waits. */
static int by_wait(const void *a, const void *b)
{
	const struct rank *x = *(const struct rank *const *)a, *y = *(const struct rank *const *)b;
	bool died_x = x->state == RANK_DIED, died_y = y->state == RANK_DIED;
	double for_x = x->state == RANK_WAITING ? (double)x->for_ns : 0;
	double for_y = y->state == RANK_WAITING ? (double)y->for_ns : 0;
	int by = down(died_x, died_y);

	if (!by)
		by = down(for_x, for_y);
	if (!by)
		by = down(x->wait_share, y->wait_share);
	return by ? by : by_rank(a, b);
}

static int by_mpi(const void *a, const void *b)
{
	int by = down((*(const struct rank *const *)a)->mpi_share,
		(*(const struct rank *const *)b)->mpi_share);

	return by ? by : by_rank(a, b);
}

static int by_cpu(const void *a, const void *b)
{
	int by = down((*(const struct rank *const *)a)->cpu_share,
		(*(const struct rank *const *)b)->cpu_share);

	return by ? by : by_rank(a, b);
}

static int by_calls(const void *a, const void *b)
{
	int by = down((*(const struct rank *const *)a)->calls_per_s,
		(*(const struct rank *const *)b)->calls_per_s);

	return by ? by : by_rank(a, b);
}

/* The worst ranks, in the order that was asked for. */
static void select_rows(struct rows *rows)
{
	static int (*const orders[SORTS])(
		const void *, const void *) = { by_rank, by_wait, by_mpi, by_cpu, by_calls };
	const struct top *t = rows->t;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nranks; i++)
		if (is_shown(t->rank[i], rows->view->show))
			rows->row[n++] = t->rank[i];
	if (rows->view->most > 0 && rows->view->most < n) {
		qsort(rows->row, n, sizeof(*rows->row), by_wait);
		n = (uint32_t)rows->view->most;
	}
	qsort(rows->row, n, sizeof(*rows->row), orders[rows->view->sort]);
	rows->n = n;
	rows->at = 0;
}

/* Is it in a call for long enough to be what it does, or the last thing that it did? */
static bool is_held(const struct rank *r)
{
	return r->call && (r->state == RANK_DIED || r->for_ns >= PATIENCE_NS);
}

static bool mostly_in_mpi(const struct rank *r)
{
	return r->busiest_call && r->mpi_share >= 0.5;
}

/* The call that it is in, else the one with most of the time since the look before. */
static uint32_t call_of(const struct rank *r)
{
	return is_held(r) ? r->call : mostly_in_mpi(r) ? r->busiest_call : 0;
}

static uint32_t site_of(const struct rank *r)
{
	if (is_held(r))
		return r->callsite;
	if (mostly_in_mpi(r))
		return r->busiest_site;
	return r->place ? r->place : r->callsite;
}

static const char *place_of(struct top *t, const struct rank *r, uint32_t site, char *text)
{
	text[0] = '\0';
	/* reading on changes what is known of the rank's names, and nothing else */
	if (site && rank_define_site((struct rank *)r, &t->looker, site))
		names_place(t->looker.names, &r->names, site, text, PLACE_BYTES);
	return text[0] ? text : NULL;
}

/* "3", "0,2,5 and 7 more", "any" */
static const char *ranks_text(
	const int32_t *rank, uint32_t n, uint32_t named, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < n && i < named && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%" PRId32, i ? "," : "", rank[i]);
	if (n > named && used < size)
		snprintf(text + used, size - used, " and %" PRIu32 " more", n - named);
	return text;
}

static const struct waiter *wait_of(const struct top *t, const struct rank *r)
{
	return waiter_of(t->waiter, t->nranks, r->live.rank);
}

static bool waits_or_died(const struct rank *r)
{
	return r->state == RANK_WAITING || (r->state == RANK_DIED && r->has_message);
}

/* Whom it waits for; of a rank in no wait, for whom it waited longest since the look before. */
static const char *wanted_text(
	const struct top *t, const struct rank *r, uint32_t named, char *text, size_t size)
{
	const struct waiter *w = wait_of(t, r);

	if (waits_or_died(r)) {
		if (w->nwanted)
			return ranks_text(
				t->waits.wanted + w->first, w->nwanted, named, text, size);
		if (r->has_message && r->peer >= 0)
			return ranks_text(&r->peer, 1, named, text, size);
		return r->has_message ? "any" : NULL;
	}
	if (r->late[0].ticks == 0 || r->late[0].peer < 0)
		return NULL;
	return ranks_text(&r->late[0].peer, 1, named, text, size);
}

typedef void cell_of(struct rows *rows, const struct rank *r, struct table_cell *c);

struct column {
	const char *name;
	bool text; /* also for people */
	bool far;  /* there only if ranks of other hosts are */
	int spare; /* for people, as in struct table_source */
	cell_of *cell;
};

static void put_text(struct table_cell *c, const char *text)
{
	if (text)
		*c = (struct table_cell){ .type = CELL_TEXT, .text = text, .bytes = strlen(text) };
}

static void put_integer(struct table_cell *c, int64_t value)
{
	*c = (struct table_cell){ .type = CELL_INTEGER, .integer = value, .real = (double)value };
}

static void put_known(struct table_cell *c, int64_t value)
{
	if (value >= 0)
		put_integer(c, value);
}

/* One digit behind the point. */
static void put_share(struct table_cell *c, double share)
{
	if (share >= 0)
		*c = (struct table_cell){ .type = CELL_REAL,
			.real = (double)(int64_t)(share * 1000 + 0.5) / 10 };
}

static void put_rate(struct table_cell *c, double rate)
{
	if (rate >= 0 && rate < 9e18)
		put_integer(c, (int64_t)(rate + 0.5));
}

#define CELL(name) static void name(struct rows *rows, const struct rank *r, struct table_cell *c)

CELL(cell_rank)
{
	(void)rows;
	put_integer(c, r->live.rank);
}

/* Is the process of the rank known, also if it has ended? */
static bool has_process(const struct rank *r)
{
	return r->live.pid > 0 &&
		(r->live.state >= LIVE_RUNS || (r->live.state == LIVE_NOTHING && r->has_rows));
}

CELL(cell_host)
{
	(void)rows;
	if (has_process(r))
		put_text(c, r->live.host);
}

CELL(cell_pid)
{
	(void)rows;
	if (has_process(r))
		put_integer(c, r->live.pid);
}

CELL(cell_known)
{
	(void)rows;
	put_known(c, r->known_ns);
}

CELL(cell_state)
{
	(void)rows;
	put_text(c, state_words[r->state]);
}

CELL(cell_for)
{
	(void)rows;
	put_known(c, r->for_ns);
}

CELL(cell_in_call)
{
	(void)rows;
	put_integer(c, is_held(r));
}

CELL(cell_call)
{
	uint32_t call = call_of(r);
	const char *name = rank_call_name(r, call);

	if (!call)
		return;
	if (!name[0]) {
		snprintf(rows->text, sizeof(rows->text), "function %" PRIu32, call);
		name = rows->text;
	}
	put_text(c, name);
}

CELL(cell_wanted)
{
	put_text(c,
		wanted_text(rows->t, r, rows->for_people ? NAMED_IN_TEXT : NAMED_RANKS, rows->text,
			sizeof(rows->text)));
}

CELL(cell_cause)
{
	(void)rows;
	put_text(c,
		cause_word(waits_or_died(r)      ? r->cause :
				r->late[0].ticks ? r->late[0].cause :
						   CAUSE_NONE));
}

CELL(cell_tag)
{
	(void)rows;
	if (waits_or_died(r) && r->has_message && r->tag >= 0)
		put_integer(c, r->tag);
}

CELL(cell_bytes)
{
	(void)rows;
	if (waits_or_died(r) && r->has_message)
		put_known(c, r->bytes < INT64_MAX ? (int64_t)r->bytes : -1);
}

CELL(cell_requests)
{
	(void)rows;
	if (r->requests)
		put_integer(c, r->requests);
}

CELL(cell_origin)
{
	if (r->state == RANK_WAITING)
		put_integer(c, wait_of(rows->t, r)->origin);
}

CELL(cell_behind)
{
	put_integer(c, wait_of(rows->t, r)->behind);
}

CELL(cell_ring)
{
	const struct waiter *w = wait_of(rows->t, r);

	if (w->ring >= 0)
		put_integer(c, w->ring);
}

CELL(cell_wait)
{
	(void)rows;
	put_share(c, r->wait_share);
}

CELL(cell_unpredicted)
{
	(void)rows;
	put_share(c, r->unpredicted_share);
}

CELL(cell_collective)
{
	(void)rows;
	put_share(c, r->collective_share);
}

CELL(cell_mpi)
{
	(void)rows;
	put_share(c, r->mpi_share);
}

CELL(cell_cpu)
{
	(void)rows;
	put_share(c, r->cpu_share);
}

CELL(cell_no_cpu)
{
	(void)rows;
	put_share(c, r->no_cpu_share);
}

CELL(cell_calls)
{
	(void)rows;
	put_rate(c, r->calls_per_s);
}

CELL(cell_second_bytes)
{
	(void)rows;
	put_rate(c, r->bytes_per_s);
}

CELL(cell_where)
{
	put_text(c, place_of(rows->t, r, site_of(r), rows->text));
}

static const struct column columns_of_ranks[] = {
	{ "rank", true, false, 0, cell_rank },
	{ "host", true, true, 2, cell_host },
	{ "known_ns", true, true, 3, cell_known },
	{ "pid", false, false, 0, cell_pid },
	{ "state", true, false, 0, cell_state },
	{ "for_ns", true, false, 0, cell_for },
	{ "in_call", false, false, 0, cell_in_call },
	{ "call", true, false, 0, cell_call },
	{ "waits_for", true, false, 0, cell_wanted },
	{ "cause", true, false, 1, cell_cause },
	{ "tag", false, false, 0, cell_tag },
	{ "bytes", false, false, 0, cell_bytes },
	{ "requests", false, false, 0, cell_requests },
	{ "origin", false, false, 0, cell_origin },
	{ "behind", false, false, 0, cell_behind },
	{ "ring", false, false, 0, cell_ring },
	{ "wait_pct", true, false, 4, cell_wait },
	{ "unpredicted_pct", false, false, 0, cell_unpredicted },
	{ "collective_pct", false, false, 0, cell_collective },
	{ "mpi_pct", true, false, 5, cell_mpi },
	{ "cpu_pct", true, false, 6, cell_cpu },
	{ "no_cpu_pct", false, false, 0, cell_no_cpu },
	{ "calls_per_s", true, false, 7, cell_calls },
	{ "bytes_per_s", false, false, 0, cell_second_bytes },
	{ "where", true, false, 0, cell_where },
};

enum { COLUMNS = sizeof(columns_of_ranks) / sizeof(columns_of_ranks[0]) };

static const char *column_name(void *from, int column)
{
	return ((struct rows *)from)->column[column].name;
}

static int next_row(void *from)
{
	struct rows *rows = from;

	if (rows->at == rows->n)
		return 0;
	rows->at++;
	return 1;
}

static void row_cell(void *from, int column, struct table_cell *cell)
{
	struct rows *rows = from;

	memset(cell, 0, sizeof(*cell));
	rows->column[column].cell(rows, rows->row[rows->at - 1], cell);
}

static int row_spare(void *from, int column)
{
	return ((struct rows *)from)->column[column].spare;
}

static int print_ranks(FILE *out, struct rows *rows, enum table_format format, int columns)
{
	struct column column[COLUMNS];
	struct table_source source = { 0, column_name, next_row, row_cell, row_spare, rows };

	rows->column = column;
	rows->for_people = format == TABLE_TEXT;
	for (int i = 0; i < COLUMNS; i++) {
		const struct column *c = &columns_of_ranks[i];

		if (!rows->for_people || (c->text && (rows->t->far || !c->far)))
			column[source.ncolumns++] = *c;
	}
	return table_print_rows(out, &source, format, columns, NULL, INT64_MAX) < 0 ? -ENOMEM : 0;
}

/* A line for people: what the run's names would do to a terminal is escaped. */
static void line(FILE *out, int columns, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void line(FILE *out, int columns, const char *format, ...)
{
	char text[4096 + 1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_foreign(out, text, 0, 2, columns);
}

/* "in MPI_Recv from rank 1 for 3.2 s: f a.c:12", "computing for 2 s after MPI_Send: ..." */
static const char *doing(struct top *t, const struct rank *r, char *text, size_t size)
{
	char age[32], place[PLACE_BYTES], wanted[128], since[48] = "";
	const char *where = place_of(t, r, is_held(r) ? r->callsite : site_of(r), place);
	const char *whom = wanted_text(t, r, NAMED_RANKS, wanted, sizeof(wanted));

	if (r->for_ns >= 0)
		snprintf(since, sizeof(since), " for %s",
			duration_text((double)r->for_ns, age, sizeof(age)));
	if (is_held(r))
		snprintf(text, size, "%s%s in %s%s%s%s%s%s", r->state == RANK_DIED ? "died" : "",
			since + (since[0] ? 1 : 0), rank_call_name(r, r->call),
			whom && waits_or_died(r) ? ", waiting for rank " : "",
			whom && waits_or_died(r) ? whom : "", where ? ": " : "", where ? where : "",
			"");
	else
		snprintf(text, size, "%s%s%s%s", state_words[r->state], since, where ? ": " : "",
			where ? where : "");
	return text;
}

static struct rank *rank_of(const struct top *t, int32_t rank)
{
	const struct waiter *w = waiter_of(t->waiter, t->nranks, rank);

	return w ? t->rank[w - t->waiter] : NULL;
}

static void tell_summary(FILE *out, const struct top *t, int columns)
{
	uint32_t count[RANK_STATES] = { 0 };
	double calls = 0, bytes = 0;
	bool known = false;
	char text[512] = "", number[32], size[32];
	size_t used = 0;

	for (uint32_t i = 0; i < t->nranks; i++) {
		const struct rank *r = t->rank[i];

		count[r->state]++;
		known |= r->calls_per_s >= 0;
		calls += r->calls_per_s > 0 ? r->calls_per_s : 0;
		bytes += r->bytes_per_s > 0 ? r->bytes_per_s : 0;
	}
	for (int s = 0; s < RANK_STATES; s++)
		if (count[s])
			used += (size_t)snprintf(text + used, sizeof(text) - used,
				"%s%" PRIu32 " %s", used ? ", " : "", count[s], state_words[s]);
	if (known)
		snprintf(text + used, sizeof(text) - used, "; %s calls/s, %s/s",
			count_text((int64_t)(calls < 9e18 ? calls : 0), number, sizeof(number)),
			bytes_text(bytes, size, sizeof(size)));
	if (t->expected > 0 && (uint32_t)t->expected != t->nranks)
		line(out, columns, "%s: %" PRIu32 " of %" PRId32 " ranks: %s", t->dir, t->nranks,
			t->expected, text);
	else if (t->nranks)
		line(out, columns, "%s: %" PRIu32 " rank%s: %s", t->dir, t->nranks,
			t->nranks == 1 ? "" : "s", text);
	else
		line(out, columns, "%s: no rank has come through MPI_Init yet", t->dir);
	if (t->starting)
		line(out, columns, "%" PRIu32 " process%s started by tryst run, not in MPI yet",
			t->starting, t->starting == 1 ? "" : "es");
}

/* The youngest wait tells how long the ring has been closed. One that is open may still end. */
static void tell_ring(
	FILE *out, struct top *t, const int32_t *member, uint32_t n, bool is_open, int columns)
{
	char ranks[128], age[32], what[PLACE_BYTES + 256];
	int64_t since = INT64_MAX;

	for (uint32_t i = 0; i < n; i++) {
		const struct rank *r = rank_of(t, member[i]);

		if (r->for_ns < since)
			since = r->for_ns;
	}
	line(out, columns, "%srank%s %s wait%s for %s, for %s%s", is_open ? "" : "! ",
		n == 1 ? "" : "s", ranks_text(member, n, NAMED_RANKS, ranks, sizeof(ranks)),
		n == 1 ? "s" : "", n == 1 ? "itself" : "each other",
		duration_text((double)since, age, sizeof(age)), is_open ? " so far" : "");
	for (uint32_t i = 0; i < n && i < NAMED_RANKS; i++)
		line(out, columns, "  rank %" PRId32 ": %s", member[i],
			doing(t, rank_of(t, member[i]), what, sizeof(what)));
}

static void tell_rings(FILE *out, struct top *t, int columns)
{
	const int32_t *ring = t->waits.ring;

	for (uint32_t i = 0, n; i < t->waits.nring; i += n + 1) {
		for (n = 0; ring[i + n] >= 0; n++)
			;
		tell_ring(out, t, ring + i, n, false, columns);
	}
}

/* For which ranks do most others wait? */
static void tell_origins(FILE *out, struct top *t, int columns)
{
	const struct waiter *told[TOLD_ORIGINS] = { NULL };
	char what[PLACE_BYTES + 256];
	int32_t member[NAMED_RANKS];

	for (int i = 0; i < TOLD_ORIGINS; i++) {
		const struct waiter *most = NULL;
		uint32_t n;

		for (uint32_t k = 0; k < t->nranks; k++) {
			const struct waiter *w = &t->waiter[k];

			if (w->behind == 0 || w->ring >= 0 || w == told[0] || w == told[1])
				continue;
			if (!most || w->behind > most->behind)
				most = w;
		}
		told[i] = most;
		if (!most)
			return;
		/* no rank of a circle is the one for which the others wait */
		n = waits_circle(&t->waits, t->waiter, t->nranks, most, member, NAMED_RANKS);
		if (n > 1) {
			tell_ring(out, t, member, n, true, columns);
			continue;
		}
		line(out, columns, "%" PRId32 " rank%s for rank %" PRId32 ": %s", most->behind,
			most->behind == 1 ? " waits" : "s wait", most->rank,
			doing(t, rank_of(t, most->rank), what, sizeof(what)));
	}
}

static void tell_dead(FILE *out, struct top *t, int columns)
{
	char what[PLACE_BYTES + 256];
	bool as_rows = false;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nranks; i++) {
		struct rank *r = t->rank[i];

		if (r->state != RANK_DIED && r->state != RANK_EXITED)
			continue;
		as_rows |= r->live.state == LIVE_NOTHING;
		if (n++ < NAMED_RANKS)
			line(out, columns, "! rank %" PRId32 " %s", r->live.rank,
				doing(t, r, what, sizeof(what)));
	}
	if (n > NAMED_RANKS)
		line(out, columns, "! and %" PRIu32 " more died or exited", n - NAMED_RANKS);
	if (as_rows)
		line(out, columns, "tryst report -s pending '%s' shows their last calls.", t->dir);
}

static void tell_unpredicted(FILE *out, const struct top *t, int columns)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nranks; i++)
		n += t->rank[i]->unpredicted_share > UNPREDICTED;
	if (n)
		line(out, columns,
			"wait is a lower bound: on %" PRIu32 " rank%s more than a tenth "
			"of the time is in messages without a prediction.",
			n, n == 1 ? "" : "s");
}

static void tell_all(FILE *out, struct top *t, int columns)
{
	if (t->later[0])
		line(out, columns, "! this run is over; a later one is in '%s'", t->later);
	tell_summary(out, t, columns);
	tell_dead(out, t, columns);
	tell_rings(out, t, columns);
	tell_origins(out, t, columns);
	tell_unpredicted(out, t, columns);
	if (t->far)
		line(out, columns,
			"Ranks of other hosts: known is the age of what their files show. "
			"Run tryst top there for what is now.");
}

static void json_rings(FILE *out, const struct top *t)
{
	const char *between = "";

	fputs("\"rings\":[", out);
	for (uint32_t i = 0; i < t->waits.nring; i++) {
		if (i == 0 || t->waits.ring[i - 1] < 0)
			fprintf(out, "%s[%" PRId32, between, t->waits.ring[i]);
		else if (t->waits.ring[i] >= 0)
			fprintf(out, ",%" PRId32, t->waits.ring[i]);
		else
			fputc(']', out);
		between = ",";
	}
	fputs("],\n", out);
}

static int print_json(FILE *out, struct rows *rows)
{
	const struct top *t = rows->t;
	uint64_t run_id = 0;
	int rc;

	for (uint32_t i = 0; i < t->nranks && !run_id; i++)
		run_id = t->rank[i]->live.run_id;
	fprintf(out,
		"{\"schema\":{\"name\":\"tryst-top\",\"version\":%d},\n\"dir\":", TOP_JSON_VERSION);
	json_string(out, t->dir);
	fprintf(out, ",\"run_id\":\"%016" PRIx64 "\",\"over\":%s,\"later\":", run_id,
		top_is_over(t) ? "true" : "false");
	if (t->later[0])
		json_string(out, t->later);
	else
		fputs("null", out);
	fprintf(out, ",\n\"ranks_seen\":%" PRIu32 ",\"ranks_expected\":", t->nranks);
	if (t->expected > 0)
		fprintf(out, "%" PRId32, t->expected);
	else
		fputs("null", out);
	fprintf(out,
		",\"starting\":%" PRIu32 ",\"interval_ns\":%" PRId64 ",\"look_cpu_ns\":%" PRId64
		",\n",
		t->starting, t->between_ns, t->cost_ns);
	json_rings(out, t);
	fputs("\"ranks\":", out);
	rc = print_ranks(out, rows, TABLE_JSON, 0);
	fputs("}\n", out);
	return rc;
}

int top_print(FILE *out, struct top *t, const struct top_view *view, enum table_format format,
	int columns)
{
	struct rows rows = {
		.t = t, .view = view, .row = malloc((t->nranks + 1) * sizeof(struct rank *))
	};
	int rc = 0;

	if (!rows.row)
		return -ENOMEM;
	select_rows(&rows);
	if (format == TABLE_TEXT)
		tell_all(out, t, columns);
	if (format == TABLE_JSON)
		rc = print_json(out, &rows);
	else if (rows.n || format != TABLE_TEXT)
		rc = print_ranks(out, &rows, format, columns);
	free(rows.row);
	return rc;
}
