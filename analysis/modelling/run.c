/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c: samples from the messages of a recorded run.
 *
 * In a run some calls wait, and the fastest calls are those that did not. So the lower quarter is
 * taken of each ordered pair, kind and length with at least eight blocking standard sends or
 * receives. Sends give o and O_s. Receives give T3, since their message had arrived. A receive may
 * be posted before its send, or later by at most 3 % of the message. The time from the send's entry
 * to the receive's return, on the corrected clocks of the merged run, is then half a round trip.
 * Messages are matched in order by pair, communicator and tag. If one side of a channel has more
 * messages than the other, the channel is left out.
 */
#include <config.h>

#include "analysis/text/messages.h"
#include "analysis/base/array.h"
#include "analysis/dataset/dataset.h"
#include "analysis/modelling/file.h"
#include "analysis/modelling/queries.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

enum { CALLS_MIN = 8, SAMPLES_MAX = 2000000, SLOPE_MAX = 1000 }; /* ns/B: 1 MB/s */

_Static_assert(CALLS_MIN == 8, "stands in the queries");

static int add_sample(struct sample **s, size_t *n, uint32_t *room, sqlite3_stmt *row)
{
	/* by the first letter of send, recv, message */
	char kind = *(const char *)sqlite3_column_text(row, 2);

	if (*n == SAMPLES_MAX || array_room(s, sizeof(**s), room, *n))
		return -1;
	(*s)[(*n)++] = (struct sample){
		.from = sqlite3_column_int(row, 0),
		.to = sqlite3_column_int(row, 1),
		.kind = kind == 's' ? SAMPLE_SEND :
			kind == 'r' ? SAMPLE_RECV :
				      SAMPLE_RTT,
		.form = kind == 's' ? SAMPLE_SEND_FORM :
			kind == 'r' ? SAMPLE_RECV_FORM :
				      0,
		.repetition = (uint32_t)sqlite3_column_int64(row, 5) - 1,
		.bytes = (uint64_t)sqlite3_column_int64(row, 3),
		.value_ns = sqlite3_column_double(row, 4),
	};
	return 0;
}

/* Adds all samples of one query. 0 or a negative errno. */
static int add_all(sqlite3 *db, const char *query, struct sample **s, size_t *n, uint32_t *room)
{
	sqlite3_stmt *row = NULL;
	int rc = db_prepare(db, query, &row);

	while (!rc && (rc = db_step(row)) > 0)
		rc = add_sample(s, n, room, row) < 0 ? -ENOMEM : 0;
	sqlite3_finalize(row);
	return rc;
}

/* Marks samples of ranks on one host. 0 or a negative errno. */
static int mark_hosts(sqlite3 *db, struct sample *s, size_t n)
{
	sqlite3_stmt *row = NULL;
	int rc = db_prepare(db, sql_modelling_same_host, &row);

	while (!rc && (rc = db_step(row)) > 0) {
		int a = sqlite3_column_int(row, 0), b = sqlite3_column_int(row, 1);

		for (size_t i = 0; i < n; i++)
			s[i].same_node |= (s[i].from == a && s[i].to == b) ||
				(s[i].from == b && s[i].to == a);
		rc = 0;
	}
	sqlite3_finalize(row);
	return rc;
}

/* S and S_p of the samples' tier, if they are all of one and the run has both. */
static int read_borders(sqlite3 *db, struct model_run *run)
{
	struct loggps_borders *k = &run->known;
	sqlite3_stmt *row = NULL;
	int rc, S = 0, S_p = 0;

	for (size_t i = 1; i < run->n; i++)
		if (run->s[i].same_node != run->s[0].same_node)
			return 0;
	*k = (struct loggps_borders){ UINT64_MAX, UINT64_MAX, 0 };
	rc = db_prepare(db, sql_modelling_borders, &row);
	if (!rc && run->n > 0) {
		sqlite3_bind_int(row, 1, run->s[0].from);
		sqlite3_bind_text(
			row, 2, run->s[0].same_node ? "node" : "network", -1, SQLITE_STATIC);
	}
	while (!rc && (rc = db_step(row)) > 0) {
		int is_S = sqlite3_column_bytes(row, 0) == 1;
		bool value = sqlite3_column_type(row, 1) != SQLITE_NULL;

		if (value)
			*(is_S ? &k->S : &k->S_p) = (uint64_t)sqlite3_column_int64(row, 1);
		else if (sqlite3_column_type(row, 2) != SQLITE_NULL && is_S)
			k->reach = (uint64_t)sqlite3_column_int64(row, 2);
		/* without a value but with a bound: none up to there; without both: not measured */
		*(is_S ? &S : &S_p) = value || sqlite3_column_type(row, 2) != SQLITE_NULL;
		rc = 0;
	}
	sqlite3_finalize(row);
	run->has_borders = S && S_p;
	return rc;
}

/* The samples of one pair, or of all (from < 0), moved to the front. */
static size_t keep_pair(struct sample *s, size_t n, int64_t from, int64_t to)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if ((from < 0 || s[i].from == from) && (to < 0 || s[i].to == to))
			s[kept++] = s[i];
	return kept;
}

int model_run_read(const char *path, int64_t from, int64_t to, struct model_run *run)
{
	struct dataset_options options = { 0 };
	struct dataset d = { 0 };
	uint32_t room = 0;
	int step, rc = -1;

	*run = (struct model_run){ 0 };
	if (dataset_open(path, &options, &model_say, &d) < 0)
		return -1;
	step = add_all(d.db, sql_modelling_calls, &run->s, &run->n, &room);
	if (!step)
		step = add_all(d.db, sql_modelling_messages, &run->s, &run->n, &room);
	if (!step) {
		run->n = keep_pair(run->s, run->n, from, to);
		step = mark_hosts(d.db, run->s, run->n);
	}
	if (!step)
		step = read_borders(d.db, run);
	if (step == -ENOMEM)
		say_error("'%s': too many messages for the memory", path);
	else if (step)
		say_error("cannot read '%s': %s", path, sqlite3_errmsg(d.db));
	else
		rc = 0;
	dataset_close(&d);
	return rc;
}

int model_run_refuse(struct model_params *p, struct model_findings *f)
{
	for (size_t i = 0; i < p->nvalues; i++) {
		struct model_value *v = &p->value[i];
		const struct model_param *d = &p->model->param[v->param];

		if (strcmp(d->unit, "ns/B") != 0 || !(fabs(v->value) > SLOPE_MAX))
			continue;
		if (model_find_add(f, FINDING_OUT_OF_RANGE, v->param, d->samples,
			    v->bytes == MODEL_NO_BYTES ? 0 : v->bytes, v->bytes,
			    "the fit gives %s = %.4g ns/B, less than 1 MB/s: these calls waited",
			    d->name, v->value) < 0)
			return -ENOMEM;
		snprintf(v->reason, sizeof(v->reason),
			"fitted %.4g: calls that waited, no overhead", v->value);
		v->value = v->ci_low = v->ci_high = NAN;
	}
	return 0;
}
