/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome.c: a run as trace events in JSON, for Perfetto and chrome://tracing.
 *
 * A process is a rank. Calls are slices ("X"), slices within say how much of a call was waiting
 * and why, in collectives also when and for whom; messages are flow arrows from the call that
 * posted the send to the call in which the receive was complete, where `tryst analyze` has put
 * the two together. Times are microseconds, as the format wants it, with nanoseconds behind the
 * point.
 */
#include <config.h>

#include "analysis/export/export.h"
#include "analysis/export/queries.h"
#include "analysis/text/out_file.h"
#include "analysis/text/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "analysis/format/db/db.h"

struct chrome {
	struct export_run *run;
	FILE *out;
	int32_t rank;
	uint32_t thread;
	bool any;         /* an event was written: a comma comes first */
	bool has_message; /* in the open call; the first counts */
	struct export_event message;
};

static void begin_event(struct chrome *c, const char *phase, int32_t rank, uint32_t thread)
{
	fprintf(c->out, "%s{\"ph\":\"%s\",\"pid\":%" PRId32 ",\"tid\":%" PRIu32,
		c->any ? ",\n" : "", phase, rank, thread);
	c->any = true;
}

/* Nanoseconds as microseconds, exactly. */
static void number_us(struct chrome *c, const char *name, int64_t ns)
{
	const uint64_t size_ns = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	fprintf(c->out, ",\"%s\":%s%" PRIu64 ".%03u", name, ns < 0 ? "-" : "", size_ns / 1000,
		(unsigned)(size_ns % 1000));
}

static void string(struct chrome *c, const char *name, const char *text)
{
	fprintf(c->out, ",\"%s\":", name);
	json_string(c->out, text);
}

/* A name of a process or a thread, and where a process stands among the others. */
static void write_name(
	struct chrome *c, const char *what, int32_t rank, uint32_t thread, const char *text)
{
	begin_event(c, "M", rank, thread);
	string(c, "name", what);
	fputs(",\"args\":{\"name\":", c->out);
	json_string(c->out, text);
	fputs("}}", c->out);
}

static void write_names(struct chrome *c, const struct export_rank *rank)
{
	char text[256];

	snprintf(text, sizeof text, "rank %" PRId32 "%s%s", rank->rank, *rank->host ? " on " : "",
		rank->host);
	write_name(c, "process_name", rank->rank, 0, text);
	begin_event(c, "M", rank->rank, 0);
	fprintf(c->out, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%" PRId32 "}}",
		rank->rank);
	for (uint32_t t = 0; t < rank->nthreads; t++) {
		snprintf(text, sizeof text, "thread %" PRIu32, rank->thread[t]);
		write_name(c, "thread_name", rank->rank, rank->thread[t], text);
	}
}

static const char *name_of(char **names, uint32_t n, uint32_t i, const char *otherwise)
{
	return i < n && names[i] && *names[i] ? names[i] : otherwise;
}

static void write_call(struct chrome *c, const struct export_event *e)
{
	const struct export_run *run = c->run;
	const struct export_event *m = &c->message;

	begin_event(c, "X", c->rank, c->thread);
	string(c, "cat", "mpi");
	string(c, "name", name_of(run->call_name, run->ncalls, e->call, "MPI_?"));
	number_us(c, "ts", e->enter_ns);
	number_us(c, "dur", e->at_ns - e->enter_ns);
	fputs(",\"args\":{\"where\":", c->out);
	json_string(c->out, run->place[e->place].text);
	if (c->has_message) {
		fprintf(c->out, ",\"bytes\":%" PRIu64, m->bytes);
		if (m->peer >= 0)
			fprintf(c->out, ",\"%s\":%" PRId32,
				m->kind >= EXPORT_COLL_BEGIN ? "root" : "peer", m->peer);
		if (m->kind < EXPORT_COLL_BEGIN)
			fprintf(c->out, ",\"tag\":%" PRId32, m->tag);
	}
	fputs("}}", c->out);
}

static void begin_wait(
	struct chrome *c, const char *name, int64_t from_ns, int64_t until_ns, int64_t wait_ns)
{
	begin_event(c, "X", c->rank, c->thread);
	string(c, "cat", "wait");
	string(c, "name", name);
	number_us(c, "ts", from_ns);
	number_us(c, "dur", until_ns - from_ns);
	fprintf(c->out, ",\"args\":{\"wait_ns\":%" PRId64, wait_ns);
}

/*
 * Writes slices of waits within the call's slice. The times of waits in collectives are known.
 * Waits for messages fill the time between these slices, from the call's entry on.
 */
static void write_waits(struct chrome *c, const struct export_event *e)
{
	const struct export_run *run = c->run;
	int64_t at = e->enter_ns, left = e->wait_ns;
	bool told = e->wait_ns <= 0;

	for (uint32_t i = 0; i <= e->nwaits; i++) {
		const struct export_wait *w = i < e->nwaits ? &e->wait[i] : NULL;
		const int64_t room = (w ? w->from_ns : e->at_ns) - at,
			      ns = left < room ? left : room;

		if (ns > 0 || (!told && !w)) {
			begin_wait(c, name_of(run->cause_name, run->ncauses, e->cause, "wait"), at,
				at + ns, e->wait_ns);
			fputs("}}", c->out);
			left -= ns;
			told = true;
		}
		if (!w)
			break;
		begin_wait(c, name_of(run->state_name, run->nstates, w->state, "wait"), w->from_ns,
			w->until_ns, w->until_ns - w->from_ns);
		if (w->late_rank >= 0)
			fprintf(c->out, ",\"late_rank\":%" PRId32, w->late_rank);
		fputs(",\"where\":", c->out);
		json_string(c->out, run->place[w->place].text);
		fputs("}}", c->out);
		at = w->until_ns;
	}
}

static int write_event(void *context, const struct export_event *e)
{
	struct chrome *c = context;

	if (e->kind == EXPORT_ENTER) {
		c->has_message = false;
	} else if (e->kind == EXPORT_LEAVE) {
		write_call(c, e);
		write_waits(c, e);
	} else if (!c->has_message) {
		c->message = *e;
		c->has_message = true;
	}
	return ferror(c->out) ? -EIO : 0;
}

/* The time of a message's end in the export; column: its rank. -1: the export leaves it out. */
static int64_t flow_time(struct chrome *c, sqlite3_stmt *s, int column, int64_t own_ns)
{
	int64_t index = export_rank_index(c->run, sqlite3_column_int64(s, column)), at;

	if (index < 0 || c->run->rank[index].left_out)
		return -1;
	at = export_time(c->run, (uint32_t)index, own_ns);
	return export_has_time(c->run, at, at) ? at : -1;
}

static void write_flow_end(
	struct chrome *c, const char *phase, sqlite3_stmt *s, int column, int64_t at_ns)
{
	begin_event(c, phase, sqlite3_column_int(s, column),
		(uint32_t)sqlite3_column_int64(s, column + 1));
	fprintf(c->out, ",\"cat\":\"message\",\"name\":\"message\",\"id\":%" PRId64,
		(int64_t)sqlite3_column_int64(s, 0));
	number_us(c, "ts", at_ns);
	if (*phase == 'f')
		fputs(",\"bp\":\"e\"", c->out);
	fprintf(c->out, ",\"args\":{\"bytes\":%" PRId64 "}}", (int64_t)sqlite3_column_int64(s, 8));
}

static int write_flows(struct chrome *c)
{
	sqlite3_stmt *s;
	int rc = db_prepare(c->run->db, sql_export_flows, &s);

	while (!rc && db_step(s) > 0 && !ferror(c->out)) {
		int64_t done = sqlite3_column_int64(s, 6), post = sqlite3_column_int64(s, 7);
		int64_t from = flow_time(c, s, 1, sqlite3_column_int64(s, 3));
		int64_t until = flow_time(c, s, 4, done > post ? done : post);

		if (from < 0 || until < 0)
			continue;
		write_flow_end(c, "s", s, 1, from);
		write_flow_end(c, "f", s, 4, until);
	}
	if (!rc)
		rc = db_finalize(s);
	return rc ? db_say(c->run->db, rc, "read", c->run->say) : 0;
}

static int write_all(struct chrome *c)
{
	int rc = 0;

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":", c->out);
	json_string(c->out, PACKAGE_STRING);
	string(c, "program", c->run->program);
	fputs("},\"traceEvents\":[\n", c->out);
	for (uint32_t i = 0; i < c->run->nranks && !rc; i++) {
		const struct export_rank *rank = &c->run->rank[i];

		if (rank->left_out)
			continue;
		write_names(c, rank);
		c->rank = rank->rank;
		for (uint32_t t = 0; t < rank->nthreads && !rc; t++) {
			c->thread = rank->thread[t];
			rc = export_thread(c->run, rank, c->thread, write_event, c);
		}
	}
	if (!rc)
		rc = export_check_part(c->run);
	if (!rc)
		rc = write_flows(c);
	fputs("\n]}\n", c->out);
	return rc;
}

static int write_chrome(struct export_run *run, const char *target)
{
	struct chrome c = { .run = run };
	struct out_file out;
	int rc = out_file_open(&out, target, run->say);

	if (rc)
		return rc;
	c.out = out.stream;
	rc = write_all(&c);
	return out_file_close(&out, rc);
}

const struct export_format export_chrome = { .name = "chrome",
	.suffix = ".trace.json" OUT_FILE_GZ,
	.of_parts = true,
	.write = write_chrome };
