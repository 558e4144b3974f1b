/* SPDX-License-Identifier: BSD-3-Clause */
/* phase.c: table phase, and sums by the phase that a thread is in. */
#include "analysis/format/rows/phase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/batch.h"
#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"
#include "analysis/format/rows/time.h"

enum {
	DEPTH = 64,
	NAMES_MAX = 4096, /* phases with further names count as outside of phases */
	KINDS = PHASE_IO + 1
};

struct sums {
	int64_t count, bytes, blocked_ns, wait_ns, max_wait_ns;
	bool predicted;
};

/* One name; name[0] is what lies outside all phases. */
struct name {
	char *text;
	struct sums sum[KINDS];
};

struct open_phase {
	uint32_t number;
	uint32_t name;
};

struct stack {
	uint32_t thread;
	uint32_t depth;
	struct open_phase open[DEPTH];
};

struct rows_phase {
	sqlite3_stmt *begin, *end, *cell;
	struct name *names;
	uint32_t nnames;
	struct stack **stacks;
	uint32_t nstacks;
	struct stack *last; /* of thread `last_thread`; NULL: it has none */
	uint32_t last_thread;
};

int rows_phase_new(sqlite3 *db, int32_t rank, struct rows_phase **out)
{
	struct rows_phase *p = calloc(1, sizeof(*p));
	int rc;

	*out = p;
	if (!p)
		return -ENOMEM;
	p->names = calloc(NAMES_MAX, sizeof(*p->names));
	if (!p->names)
		return -ENOMEM;
	p->nnames = 1;
	p->last_thread = UINT32_MAX;
	rc = db_prepare_insert(db, DB_INSERT_OR_REPLACE, "phase_row", &p->begin);
	if (!rc)
		rc = db_prepare(db, sql_rows_end_phase, &p->end);
	if (!rc)
		rc = db_prepare_insert(db, DB_INSERT, "phase_cell", &p->cell);
	if (!rc) {
		sqlite3_bind_int(p->begin, 1, rank);
		sqlite3_bind_int(p->end, 1, rank);
		sqlite3_bind_int(p->cell, 1, rank);
	}
	return rc;
}

void rows_phase_free(struct rows_phase *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nnames; i++)
		free(p->names[i].text);
	for (uint32_t i = 0; i < p->nstacks; i++)
		free(p->stacks[i]);
	free(p->names);
	free(p->stacks);
	sqlite3_finalize(p->begin);
	sqlite3_finalize(p->end);
	sqlite3_finalize(p->cell);
	free(p);
}

/* NULL: the thread has begun no phase. */
static struct stack *find_stack(struct rows_phase *p, uint32_t thread)
{
	if (p->last_thread == thread)
		return p->last;
	p->last_thread = thread;
	p->last = NULL;
	for (uint32_t i = 0; i < p->nstacks && !p->last; i++)
		if (p->stacks[i]->thread == thread)
			p->last = p->stacks[i];
	return p->last;
}

static struct stack *stack_of(struct rows_phase *p, uint32_t thread)
{
	struct stack **more, *s = find_stack(p, thread);

	if (s)
		return s;
	more = realloc(p->stacks, (p->nstacks + 1) * sizeof(struct stack *));
	if (!more)
		return NULL;
	p->stacks = more;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->thread = thread;
	p->stacks[p->nstacks++] = s;
	return p->last = s;
}

/* The number of a name; 0 where there are too many. */
static uint32_t name_of(struct rows_phase *p, const char *text)
{
	for (uint32_t i = 1; i < p->nnames; i++)
		if (strcmp(p->names[i].text, text) == 0)
			return i;
	if (p->nnames == NAMES_MAX)
		return 0;
	p->names[p->nnames].text = strdup(text);
	return p->names[p->nnames].text ? p->nnames++ : 0;
}

static int begin_phase(
	struct rows_phase *p, struct stack *s, const struct rec_phase *event, int64_t at_ns)
{
	/* What is not recorded is an interval beside the program's own phases. */
	if (event->level != 0 && s->depth < DEPTH)
		s->open[s->depth++] =
			(struct open_phase){ event->head.id, name_of(p, event->text) };
	sqlite3_bind_int64(p->begin, 2, event->head.id);
	sqlite3_bind_int64(p->begin, 3, s->thread);
	sqlite3_bind_text(p->begin, 4, event->text, -1, SQLITE_STATIC);
	if (event->level == PHASE_NO_LEVEL)
		sqlite3_bind_null(p->begin, 5);
	else
		sqlite3_bind_int(p->begin, 5, event->level);
	sqlite3_bind_int64(p->begin, 6, at_ns);
	return db_execute(p->begin);
}

static int end_phase(
	struct rows_phase *p, struct stack *s, const struct rec_phase *event, int64_t at_ns)
{
	uint32_t i = s->depth;

	while (i > 0 && s->open[i - 1].number != event->head.id)
		i--;
	if (i > 0)
		s->depth = i - 1;
	sqlite3_bind_int64(p->end, 2, event->head.id);
	sqlite3_bind_int64(p->end, 3, at_ns);
	return db_execute(p->end);
}

int rows_phase_event(
	struct rows_phase *p, uint32_t thread, const struct rec_phase *event, int64_t at_ns)
{
	struct stack *s = stack_of(p, thread);

	if (!s)
		return -ENOMEM;
	return event->head.pad == PHASE_BEGIN ? begin_phase(p, s, event, at_ns) :
						end_phase(p, s, event, at_ns);
}

void rows_phase_add(struct rows_phase *p, uint32_t thread, enum rows_phase_kind kind,
	uint64_t bytes, int64_t blocked_ns, int64_t wait_ns)
{
	const struct stack *s = find_stack(p, thread);
	struct sums *sum;

	sum = &p->names[s && s->depth ? s->open[s->depth - 1].name : 0].sum[kind];
	sum->count++;
	sum->bytes = rows_plus(sum->bytes, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
	sum->blocked_ns = rows_plus(sum->blocked_ns, blocked_ns);
	if (wait_ns == ROW_NULL)
		return;
	sum->predicted = true;
	sum->wait_ns = rows_plus(sum->wait_ns, wait_ns);
	if (wait_ns > sum->max_wait_ns)
		sum->max_wait_ns = wait_ns;
}

static void bind_wait(sqlite3_stmt *stmt, int i, const struct sums *sum, int64_t ns)
{
	if (sum->predicted)
		sqlite3_bind_int64(stmt, i, ns);
	else
		sqlite3_bind_null(stmt, i);
}

int rows_phase_flush(struct rows_phase *p)
{
	int rc = 0;

	for (uint32_t i = 0; p->nnames > 1 && i < p->nnames; i++) {
		for (int kind = PHASE_SEND; kind < KINDS && !rc; kind++) {
			const struct sums *sum = &p->names[i].sum[kind];

			if (sum->count == 0)
				continue;
			sqlite3_bind_text(p->cell, 2, i ? p->names[i].text : "", -1, SQLITE_STATIC);
			sqlite3_bind_int(p->cell, 3, kind);
			sqlite3_bind_int64(p->cell, 4, sum->count);
			sqlite3_bind_int64(p->cell, 5, sum->bytes);
			sqlite3_bind_int64(p->cell, 6, sum->blocked_ns);
			bind_wait(p->cell, 7, sum, sum->wait_ns);
			bind_wait(p->cell, 8, sum, sum->max_wait_ns);
			rc = db_execute(p->cell);
		}
		memset(p->names[i].sum, 0, sizeof(p->names[i].sum));
	}
	return rc;
}
