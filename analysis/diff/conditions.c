/* SPDX-License-Identifier: BSD-3-Clause */
/* conditions.c: see conditions.h. The values of measures are those of queries/measures.sql. */
#include <config.h>

#include "analysis/diff/conditions.h"
#include "analysis/diff/queries.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/text/causes.h"

/* All measures but the causes of waits. */
static const struct {
	const char *name;
	bool is_count;
} measures[] = {
	{ "run", false },
	{ "waits", false },
	{ "mpi", false },
	{ "computation", false },
	{ "tryst", false },
	{ "cpu_shortage", false },
	{ "messages", true },
	{ "calls", true },
};

enum { NMEASURES = sizeof measures / sizeof *measures };

static const struct unit {
	const char *name;
	double ns; /* 0: percent */
} units[] = { { "%", 0 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

enum { NUNITS = sizeof units / sizeof *units };

static bool find_measure(struct condition *c, const char *name)
{
	const struct cause *cause = cause_find(name);

	for (int i = 0; i < NMEASURES; i++)
		if (strcmp(measures[i].name, name) == 0) {
			c->measure = measures[i].name;
			c->is_count = measures[i].is_count;
			return true;
		}
	c->measure = cause->name;
	c->is_count = false;
	return cause->is_measured;
}

static int say_measures(struct text *why, const char *name)
{
	text_addf(why, "no measure '%s'; there are ", name);
	for (int i = 0; i < NMEASURES; i++)
		text_addf(why, "%s%s", i ? ", " : "", measures[i].name);
	for (const struct cause *cause = causes; cause->name; cause++)
		if (cause->is_measured)
			text_addf(why, ", %s", cause->name);
	return -EINVAL;
}

/* Reads the number after the '>', and its unit. */
static int read_limit(struct condition *c, const char *number, struct text *why)
{
	const bool is_count = c->is_count;
	char *unit;
	double value = strtod(number, &unit);

	if (unit == number || !isfinite(value) || value < 0) {
		text_addf(why, "'%s' needs a number of at least 0 after '>'", c->text);
		return -EINVAL;
	}
	if (!*unit && is_count) {
		c->limit = value;
		return 0;
	}
	for (int i = 0; i < NUNITS; i++)
		if (strcmp(units[i].name, unit) == 0 && (!is_count || units[i].ns == 0)) {
			c->is_percent = units[i].ns == 0;
			c->limit = c->is_percent ? value : value * units[i].ns;
			return 0;
		}
	text_addf(why,
		is_count ? "'%s' is a count: its number takes %% or no unit" :
			   "'%s' is a time: its number needs a unit, %%, ns, us, ms or s",
		c->text);
	return -EINVAL;
}

/* A condition without spaces. */
static int read_one(struct condition *c, struct text *why)
{
	const char *more = strchr(c->text, '>');
	char name[sizeof c->text];

	if (!more) {
		text_addf(why, "'%s' is no condition such as run>5%% or late_sender>10ms", c->text);
		return -EINVAL;
	}
	snprintf(name, sizeof name, "%.*s", (int)(more - c->text), c->text);
	return find_measure(c, name) ? read_limit(c, more + 1, why) : say_measures(why, name);
}

int conditions_read(struct conditions *c, const char *list, struct text *why)
{
	int rc = 0;

	*c = (struct conditions){ 0 };
	do {
		struct condition *one = &c->at[c->n];
		size_t length = 0;

		for (; *list && *list != ','; list++)
			if (!isspace((unsigned char)*list) && length + 1 < sizeof one->text)
				one->text[length++] = *list;
		rc = read_one(one, why);
		if (!rc && ++c->n == CONDITIONS_MAX && *list) {
			text_addf(why, "more than %d conditions", CONDITIONS_MAX);
			rc = -EINVAL;
		}
	} while (!rc && *list++);
	return rc;
}

static bool is_met(const struct condition *c, double a, double b)
{
	return b - a > (c->is_percent ? c->limit / 100 * a : c->limit);
}

/* Puts the measure of the current row of `read`, with both values, into table `condition`. */
static int judge(
	sqlite3_stmt *read, sqlite3_stmt *write, const struct condition *c, struct text *met)
{
	const double a = sqlite3_column_double(read, 1), b = sqlite3_column_double(read, 2);
	const bool holds = is_met(c, a, b);

	if (sqlite3_column_type(read, 1) == SQLITE_NULL ||
		sqlite3_column_type(read, 2) == SQLITE_NULL) {
		met->length = 0;
		text_add(met, c->text);
		return -ENODATA;
	}
	if (holds)
		text_addf(met, "%s%s", met->length ? ", " : "", c->text);
	sqlite3_bind_text(write, 1, c->text, -1, SQLITE_STATIC);
	sqlite3_bind_value(write, c->is_count ? 4 : 2, sqlite3_column_value(read, 1));
	sqlite3_bind_value(write, c->is_count ? 5 : 3, sqlite3_column_value(read, 2));
	sqlite3_bind_int(write, 6, holds);
	return db_execute(write);
}

int conditions_judge(sqlite3 *diff, const struct conditions *c, struct text *met)
{
	int rc = 0;

	for (int i = 0; !rc && i < c->n; i++) {
		sqlite3_stmt *read = NULL, *write = NULL;

		rc = db_prepare(diff, sql_diff_measures, &read);
		if (!rc)
			rc = db_prepare_insert(diff, DB_INSERT, "condition", &write);
		if (!rc)
			sqlite3_bind_text(read, 1, c->at[i].measure, -1, SQLITE_STATIC);
		if (!rc && (rc = db_step(read)) > 0)
			rc = judge(read, write, &c->at[i], met);
		sqlite3_finalize(write);
		sqlite3_finalize(read);
	}
	return rc ? rc : met->failed ? -ENOMEM : 0;
}
