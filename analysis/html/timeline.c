/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c: the stream of the exports as columns. Memory is bounded by the limits of timeline.h.
 */
#include <config.h>

#include "analysis/html/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/export/export.h"
#include "analysis/export/queries.h"
#include "analysis/format/db/db.h"
#include "analysis/html/columns.h"
#include "analysis/html/queries.h"
#include "analysis/text/progress.h"
#include "analysis/text/table.h"

enum { STATE_COMPUTING, STATE_MPI, STATES_FIRST_CAUSE, STATES_MOST = 64 };
enum { BINS_LEAST = 64, BINS_MOST = 2048, BIN_FULL = 127, COARSE_TICK_NS = 32 };

/* A call. */
struct mark {
	int64_t enter_ns, leave_ns, wait_ns, wait_from_ns, predicted_ns, blocked_ns;
	uint64_t bytes;
	uint32_t lane, place, call;
	int32_t peer, late_rank;
	uint8_t state; /* of the longest wait; 0: none */
};

struct lane {
	const struct export_rank *rank;
	uint32_t thread;
	uint32_t first, n;   /* marks */
	int64_t recorded_ns; /* up to here all its calls were recorded */
};

struct timeline {
	struct export_run run;
	struct lane *lane;
	uint32_t nlanes;
	struct mark *mark;
	uint32_t nmarks, room;
	uint64_t calls;   /* in all */
	int64_t least_ns; /* calls below it have no mark */
	uint32_t nbins, nstates;
	uint32_t unrecorded; /* the state of time behind recorded_ns; 0: no lane has such time */
	double bin_ns;
	double *bin; /* of the lane that is read: nbins times nstates */
	struct column bins;
	uint32_t at; /* the lane that is read */
	struct export_event message;
	bool has_message;
};

/* ---- bins */

static void fill_bins(struct timeline *t, uint32_t state, int64_t from_ns, int64_t until_ns)
{
	double from = (double)from_ns / t->bin_ns, until = (double)until_ns / t->bin_ns;

	if (state >= t->nstates)
		state = STATE_MPI;
	if (from >= t->nbins)
		return;
	until = until < t->nbins ? until : t->nbins;
	for (uint32_t i = from > 0 ? (uint32_t)from : 0; i < t->nbins && i < until; i++) {
		double begin = from > i ? from : i, end = until < i + 1.0 ? until : i + 1.0;

		if (end > begin)
			t->bin[(size_t)i * t->nstates + state] += end - begin;
	}
}

static uint64_t part_of_bin(double part)
{
	return part <= 0 ? 0 : part >= 1 ? BIN_FULL : (uint64_t)(part * BIN_FULL + 0.5);
}

/* The part of bin `i` that lies before `end`. */
static double before(double end, uint32_t i)
{
	return end < i ? 0 : end < i + 1.0 ? end - i : 1;
}

/* What no call has, up to the rank's end, is computation, or unknown. */
static void end_bins(struct timeline *t, const struct lane *lane)
{
	const double end = (double)lane->rank->end_ns / t->bin_ns;
	const double recorded = (double)lane->recorded_ns / t->bin_ns;

	for (uint32_t i = 0; i < t->nbins; i++) {
		double *part = &t->bin[(size_t)i * t->nstates], other = 0;

		for (uint32_t s = STATE_MPI; s < t->nstates; s++)
			other += part[s];
		part[STATE_COMPUTING] = before(end, i) - other;
		if (lane->recorded_ns < lane->rank->end_ns) {
			double unknown = before(end, i) - before(recorded, i);

			if (unknown > part[STATE_COMPUTING])
				unknown = part[STATE_COMPUTING];
			part[STATE_COMPUTING] -= unknown;
			part[t->unrecorded] += unknown;
		}
		for (uint32_t s = 0; s < t->nstates; s++)
			column_add(&t->bins, part_of_bin(part[s]));
	}
	memset(t->bin, 0, (size_t)t->nbins * t->nstates * sizeof *t->bin);
}

/* ---- marks */

/* An eighth of the calls or more are too short from now on. */
static void drop_short(struct timeline *t)
{
	uint32_t kept = t->nmarks;

	while (kept > t->nmarks - t->nmarks / 8) {
		t->least_ns = t->least_ns ? t->least_ns + t->least_ns / 4 : 64;
		kept = 0;
		for (uint32_t i = 0; i < t->nmarks; i++)
			kept += t->mark[i].leave_ns - t->mark[i].enter_ns >= t->least_ns;
	}
	kept = 0;
	for (uint32_t i = 0; i < t->nmarks; i++)
		if (t->mark[i].leave_ns - t->mark[i].enter_ns >= t->least_ns)
			t->mark[kept++] = t->mark[i];
	t->nmarks = kept;
}

static void fill_until(struct timeline *t, uint32_t state, int64_t *at_ns, int64_t until_ns)
{
	if (until_ns <= *at_ns)
		return;
	fill_bins(t, state, *at_ns, until_ns);
	*at_ns = until_ns;
}

/*
 * The longest wait names the call's state. Waits for messages are drawn from the call's entry on,
 * as in the Chrome trace; a collective's wait has its place in the call.
 */
static void take_waits(struct timeline *t, struct mark *m, const struct export_event *e)
{
	const uint32_t first_state = STATES_FIRST_CAUSE + (t->run.ncauses ? t->run.ncauses - 1 : 0);
	/* a wait without a known cause is time in MPI */
	const uint32_t cause = e->cause ? STATES_FIRST_CAUSE + e->cause - 1 : STATE_MPI;
	int64_t longest = e->wait_ns > 0 ? e->wait_ns : 0, at = m->enter_ns;
	int64_t most = m->leave_ns - m->enter_ns;

	m->wait_from_ns = m->enter_ns;
	m->wait_ns = longest;
	m->state = longest > 0 ? (uint8_t)cause : 0;
	m->late_rank = -1;
	fill_until(t, cause, &at, m->enter_ns + (longest < most ? longest : most));
	for (uint32_t i = 0; i < e->nwaits; i++) {
		const struct export_wait *w = &e->wait[i];
		const int64_t ns = w->until_ns - w->from_ns;
		const uint32_t state = w->state ? first_state + w->state - 1 : STATE_MPI;

		m->wait_ns += ns;
		fill_until(t, STATE_MPI, &at, w->from_ns);
		fill_until(t, state, &at, w->until_ns);
		if (ns <= longest)
			continue;
		longest = ns;
		m->state = (uint8_t)state;
		m->wait_from_ns = w->from_ns;
		m->late_rank = w->late_rank;
	}
	fill_until(t, STATE_MPI, &at, m->leave_ns);
}

static int take_call(struct timeline *t, const struct export_event *e)
{
	struct mark m = { .enter_ns = e->enter_ns,
		.leave_ns = e->at_ns,
		.predicted_ns = e->predicted_ns,
		.blocked_ns = e->blocked_ns,
		.bytes = t->has_message ? t->message.bytes : 0,
		.peer = t->has_message ? t->message.peer : -1,
		.lane = t->at,
		.place = e->place,
		.call = e->call };

	t->calls++;
	take_waits(t, &m, e);
	if (m.leave_ns - m.enter_ns < t->least_ns)
		return 0;
	if (t->nmarks == TIMELINE_CALLS)
		drop_short(t);
	if (array_room(&t->mark, sizeof *t->mark, &t->room, t->nmarks))
		return -ENOMEM;
	t->mark[t->nmarks++] = m;
	return 0;
}

/* Of a call's messages the first counts. */
static int take_event(void *context, const struct export_event *e)
{
	struct timeline *t = context;

	if (e->kind == EXPORT_ENTER)
		t->has_message = false;
	else if (e->kind == EXPORT_LEAVE)
		return take_call(t, e);
	else if (!t->has_message) {
		t->message = *e;
		t->has_message = true;
	}
	return 0;
}

/* ---- reading */

static int fail(const struct timeline *t, int rc)
{
	return db_say(t->run.db, rc, "read", t->run.say);
}

/* Finds lanes whose last calls were not recorded. */
static int read_recorded(struct timeline *t)
{
	sqlite3_stmt *s;
	int rc = db_prepare(t->run.db, sql_html_recorded, &s);
	uint32_t i = 0; /* lanes and rows are in the order of ranks */

	if (rc)
		return fail(t, rc);
	while ((rc = db_step(s)) > 0) {
		const int64_t rank = export_rank_index(&t->run, sqlite3_column_int64(s, 0));
		const int64_t own_ns = sqlite3_column_int64(s, 1);

		if (rank < 0)
			continue;
		while (i < t->nlanes && t->lane[i].rank < &t->run.rank[rank])
			i++;
		for (; i < t->nlanes && t->lane[i].rank == &t->run.rank[rank]; i++) {
			t->lane[i].recorded_ns = export_time(&t->run, (uint32_t)rank, own_ns);
			if (t->lane[i].recorded_ns < t->run.rank[rank].end_ns)
				t->unrecorded = t->nstates;
		}
	}
	if (rc)
		fail(t, rc);
	sqlite3_finalize(s);
	t->nstates += t->unrecorded > 0;
	return rc;
}

static int list_lanes(struct timeline *t)
{
	uint32_t room = 0;
	int rc;

	for (uint32_t i = 0; i < t->run.nranks; i++)
		for (uint32_t k = 0; k < t->run.rank[i].nthreads; k++) {
			if (array_room(&t->lane, sizeof *t->lane, &room, t->nlanes))
				return -ENOMEM;
			t->lane[t->nlanes++] = (struct lane){ .rank = &t->run.rank[i],
				.thread = t->run.rank[i].thread[k],
				.recorded_ns = t->run.rank[i].end_ns };
		}
	t->nstates = STATES_FIRST_CAUSE + (t->run.ncauses ? t->run.ncauses - 1 : 0) +
		(t->run.nstates ? t->run.nstates - 1 : 0);
	if (t->nstates > STATES_MOST)
		t->nstates = STATES_MOST;
	rc = read_recorded(t);
	if (rc)
		return rc;
	t->nbins = t->nlanes ? TIMELINE_BINS / t->nlanes : BINS_MOST;
	t->nbins = t->nbins < BINS_LEAST ? BINS_LEAST : t->nbins > BINS_MOST ? BINS_MOST : t->nbins;
	t->bin_ns = t->run.end_ns > 0 ? (double)t->run.end_ns / t->nbins : 1;
	t->bin = calloc((size_t)t->nbins * t->nstates, sizeof *t->bin);
	return t->bin ? 0 : -ENOMEM;
}

static int read_lanes(struct timeline *t)
{
	int rc = 0;

	for (t->at = 0; t->at < t->nlanes && !rc; t->at++) {
		const struct lane *lane = &t->lane[t->at];

		rc = export_thread(&t->run, lane->rank, lane->thread, take_event, t);
		end_bins(t, lane);
	}
	progress_end();
	for (uint32_t i = 0; i < t->nmarks; i++) {
		struct lane *lane = &t->lane[t->mark[i].lane];

		lane->first = lane->n++ ? lane->first : i;
	}
	return rc;
}

/* ---- writing */

static void write_names(FILE *out, const char *key, char **names, uint32_t n, uint32_t from)
{
	fprintf(out, ",\n\"%s\": [", key);
	for (uint32_t i = from; i < n; i++) {
		fputs(i > from ? "," : "", out);
		json_string(out, names[i] ? names[i] : "");
	}
	putc(']', out);
}

/* The report's names of places, by the numbers of the export. */
static int write_places(FILE *out, struct timeline *t)
{
	sqlite3_stmt *s;
	char **place = calloc(t->run.nplaces + 1, sizeof *place);
	int rc = place ? db_prepare(t->run.db, sql_html_places, &s) : -ENOMEM;

	while (!rc && db_step(s) > 0) {
		int64_t i = sqlite3_column_int64(s, 0);
		const char *text = (const char *)sqlite3_column_text(s, 1);

		if (i >= 0 && i < t->run.nplaces && !place[i])
			place[i] = text ? strdup(text) : NULL;
	}
	if (!rc)
		rc = db_finalize(s);
	if (!rc)
		write_names(out, "places", place, t->run.nplaces, 0);
	for (uint32_t i = 0; place && i < t->run.nplaces; i++)
		free(place[i]);
	free(place);
	return rc;
}

static void write_lanes(FILE *out, const struct timeline *t)
{
	fputs(",\n\"lanes\": [", out);
	for (uint32_t i = 0; i < t->nlanes; i++) {
		const struct lane *lane = &t->lane[i];

		fprintf(out,
			"%s{\"rank\":%" PRId32 ",\"thread\":%" PRIu32 ",\"calls\":%" PRIu32
			",\"host\":",
			i ? ",\n" : "\n", lane->rank->rank, lane->thread, lane->n);
		json_string(out, lane->rank->host);
		fprintf(out, ",\"end_ns\":%" PRId64 ",\"recorded_ns\":%" PRId64 "}",
			lane->rank->end_ns, lane->recorded_ns);
	}
	putc(']', out);
}

/* A column of the marks. Times count from the end of the mark before. */
enum mark_column {
	M_GAP,
	M_TIME,
	M_CALL,
	M_PLACE,
	M_PEER,
	M_BYTES,
	M_STATE,
	M_WAIT,
	M_WAIT_FROM,
	M_LATE,
	M_PREDICTED,
	M_BLOCKED,
	M_COLUMNS
};

static const char *const mark_names[M_COLUMNS] = { "gap", "time", "call", "place", "peer", "bytes",
	"state", "wait", "wait_from", "late_rank", "predicted", "blocked" };

static void add_mark(struct column *c, enum mark_column what, const struct mark *m,
	int64_t before_ns, int64_t tick_ns)
{
	const int64_t enter = m->enter_ns / tick_ns, leave = m->leave_ns / tick_ns;

	switch (what) {
	case M_GAP:
		column_add_signed(c, enter - before_ns / tick_ns);
		break;
	case M_TIME:
		column_add(c, (uint64_t)(leave - enter));
		break;
	case M_CALL:
		column_add(c, m->call);
		break;
	case M_PLACE:
		column_add(c, m->place);
		break;
	case M_PEER:
		column_add(c, (uint64_t)(m->peer + INT64_C(1)));
		break;
	case M_BYTES:
		column_add(c, m->bytes);
		break;
	case M_STATE:
		column_add(c, m->state);
		break;
	case M_WAIT:
		if (m->state)
			column_add(c, (uint64_t)m->wait_ns);
		break;
	case M_WAIT_FROM:
		if (m->state)
			column_add(c, (uint64_t)(m->wait_from_ns / tick_ns - enter));
		break;
	case M_LATE:
		if (m->state)
			column_add(c, (uint64_t)(m->late_rank + INT64_C(1)));
		break;
	case M_PREDICTED:
		column_add(c, m->predicted_ns < 0 ? 0 : (uint64_t)m->predicted_ns + 1);
		break;
	case M_BLOCKED: /* mostly the time of the call */
		column_add_signed(c,
			m->blocked_ns < 0 ? -1 :
					    (m->leave_ns - m->enter_ns - m->blocked_ns) / tick_ns +
					(m->leave_ns - m->enter_ns < m->blocked_ns ? -1 : 0));
		break;
	case M_COLUMNS:
		break;
	}
}

static int write_marks(FILE *out, const struct timeline *t, int64_t tick_ns)
{
	int rc = 0;

	fputs("\"marks\": {", out);
	for (int what = 0; what < M_COLUMNS && !rc; what++) {
		struct column c = { 0 };

		for (uint32_t i = 0; i < t->nmarks; i++) {
			const struct mark *m = &t->mark[i];
			bool first = i == 0 || m[-1].lane != m->lane;

			add_mark(
				&c, (enum mark_column)what, m, first ? 0 : m[-1].leave_ns, tick_ns);
		}
		fprintf(out, "%s\n\"%s\": ", what ? "," : "", mark_names[what]);
		rc = column_write(out, &c);
	}
	putc('}', out);
	return rc;
}

static uint32_t find_lane(const struct timeline *t, int64_t rank, uint32_t thread)
{
	uint32_t low = 0, high = t->nlanes;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct lane *lane = &t->lane[middle];

		if (lane->rank->rank < rank || (lane->rank->rank == rank && lane->thread < thread))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The mark of a lane that holds this time on the rank's own clock; UINT32_MAX: none does. */
static uint32_t find_mark(struct timeline *t, int64_t rank, uint32_t thread, int64_t own_ns)
{
	const int64_t index = export_rank_index(&t->run, rank);
	const uint32_t i = find_lane(t, rank, thread);
	uint32_t low, high;
	int64_t at;

	if (index < 0 || i >= t->nlanes || t->lane[i].rank->rank != rank || t->lane[i].n == 0)
		return UINT32_MAX;
	at = export_time(&t->run, (uint32_t)index, own_ns);
	low = t->lane[i].first;
	high = low + t->lane[i].n;
	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (t->mark[middle].enter_ns <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->lane[i].first || t->mark[low - 1].leave_ns < at)
		return UINT32_MAX;
	return low - 1;
}

/* Messages between two marks: numbers of both, each as the difference to the message before. */
static int write_messages(FILE *out, struct timeline *t)
{
	struct column from = { 0 }, to = { 0 };
	uint32_t last_from = 0, last_to = 0, n = 0;
	uint64_t of_all = 0;
	sqlite3_stmt *s;
	int rc = db_prepare(t->run.db, sql_export_flows, &s);

	while (!rc && db_step(s) > 0) {
		uint32_t a, b;

		of_all++;
		if (n == TIMELINE_MESSAGES)
			continue;
		a = find_mark(t, sqlite3_column_int64(s, 1), (uint32_t)sqlite3_column_int64(s, 2),
			sqlite3_column_int64(s, 3));
		b = find_mark(t, sqlite3_column_int64(s, 4), (uint32_t)sqlite3_column_int64(s, 5),
			sqlite3_column_int64(s, 6));
		if (a == UINT32_MAX || b == UINT32_MAX)
			continue;
		column_add_signed(&from, (int64_t)a - last_from);
		column_add_signed(&to, (int64_t)b - last_to);
		last_from = a;
		last_to = b;
		n++;
	}
	if (!rc)
		rc = db_finalize(s);
	fprintf(out,
		",\n\"messages\": {\"count\": %" PRIu32 ", \"of_all\": %" PRIu64 ",\n\"from\": ", n,
		of_all);
	if (!rc)
		rc = column_write(out, &from);
	fputs(",\n\"to\": ", out);
	if (!rc)
		rc = column_write(out, &to);
	putc('}', out);
	column_release(&from);
	column_release(&to);
	return rc;
}

static int64_t tick_of(const struct timeline *t)
{
	return t->nmarks > TIMELINE_FINE ? COARSE_TICK_NS : 1;
}

static int said(const struct timeline *t, int rc)
{
	if (rc == -ENOMEM)
		say_line(t->run.say, "out of memory");
	return rc;
}

int timeline_write_overview(FILE *out, struct timeline *t)
{
	int rc;

	fprintf(out,
		"{\"coding\": \"%s\", \"end_ns\": %" PRId64 ", \"tick_ns\": %" PRId64
		", \"calls\": %" PRIu32 ", \"of_all\": %" PRIu64 ", \"least_ns\": %" PRId64
		", \"exact\": %s, \"causes\": %" PRIu32,
		column_coding, t->run.end_ns, tick_of(t), t->nmarks, t->calls, t->least_ns,
		t->run.exact ? "true" : "false", t->run.ncauses ? t->run.ncauses - 1 : 0);
	write_names(out, "call_names", t->run.call_name, t->run.ncalls, 0);
	write_names(out, "cause_names", t->run.cause_name, t->run.ncauses, 1);
	write_names(out, "collective_names", t->run.state_name, t->run.nstates, 1);
	rc = write_places(out, t);
	write_lanes(out, t);
	fprintf(out,
		",\n\"bins\": {\"count\": %" PRIu32 ", \"states\": %" PRIu32
		", \"full\": %d, \"parts\": ",
		t->nbins, t->nstates, BIN_FULL);
	if (!rc)
		rc = column_write(out, &t->bins);
	fputs("}}", out);
	return said(t, rc);
}

int timeline_write_calls(FILE *out, struct timeline *t)
{
	int rc;

	putc('{', out);
	rc = write_marks(out, t, tick_of(t));
	if (!rc)
		rc = write_messages(out, t);
	putc('}', out);
	return said(t, rc);
}

int timeline_new(struct timeline **out, sqlite3 *db, const char *name, const struct say *say)
{
	struct timeline *t = calloc(1, sizeof(*t));
	int rc = t ? export_open(&t->run, db, name, say) : -ENOMEM;

	if (!t)
		say_line(say, "out of memory");
	if (rc) {
		free(t);
		return rc;
	}
	rc = list_lanes(t);
	if (!rc)
		rc = read_lanes(t);
	said(t, rc);
	if (rc)
		timeline_free(t);
	else
		*out = t;
	return rc;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	column_release(&t->bins);
	free(t->bin);
	free(t->mark);
	free(t->lane);
	export_close(&t->run);
	free(t);
}
