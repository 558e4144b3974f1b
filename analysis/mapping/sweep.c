/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep.c: replays a run at several values of a parameter (sweep.h). */
#include "analysis/mapping/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/mapping/mapping.h"
#include "analysis/replay/run.h"

enum { NAME_BYTES = 32, SET_BYTES = 512 };

struct sweep {
	char name[NAME_BYTES]; /* as --set has it */
	bool is_bytes;
	double from, to;
};

static int refuse(const char *sweep, const struct say *say, const char *why)
{
	say_line(say, "cannot sweep '%s': %s", sweep, why);
	return -EINVAL;
}

static int read_sweep(const char *text, struct sweep *s, const struct say *say)
{
	const char *equals = strchr(text, '='), *dots = strstr(text, "..");
	const char *tier_end; /* of node.o */
	char from[NAME_BYTES];

	if (!equals || !dots || dots < equals || equals - text >= NAME_BYTES ||
		dots - equals > NAME_BYTES)
		return refuse(text, say, "it is NAME=LOW..HIGH, with a name that --set has");
	snprintf(s->name, sizeof(s->name), "%.*s", (int)(equals - text), text);
	tier_end = strrchr(s->name, '.');
	snprintf(from, sizeof(from), "%.*s", (int)(dots - equals - 1), equals + 1);
	s->is_bytes = replay_is_bytes(tier_end ? tier_end + 1 : s->name);
	if (!replay_read_value(from, s->is_bytes, &s->from) ||
		!replay_read_value(dots + 2, s->is_bytes, &s->to))
		return refuse(text, say, "no numbers with units that fit");
	if (s->from <= 0 || s->from > s->to)
		return refuse(text, say, "LOW is above 0 and not above HIGH");
	if (s->to / s->from >= 0x1p63)
		return refuse(text, say, "too many values");
	return 0;
}

/* Replays with the parameter at `value`. */
static int replay_at(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	const struct sweep *s, double value, struct replay_hosts *hosts, struct replay_result *out,
	const struct say *say)
{
	struct replay_changes more = *changes;
	struct replay_scenario scenario;
	char set[SET_BYTES];
	int rc;

	if (snprintf(set, sizeof(set), s->is_bytes ? "%s%s%s=%.0f" : "%s%s%s=%.9g",
		    changes->set ? changes->set : "", changes->set ? "," : "", s->name,
		    value) >= (int)sizeof(set))
		return refuse(s->name, say, "--set is too long");
	more.set = set;
	rc = replay_scenario_read(db, g, &more, &scenario, say);
	if (!rc)
		rc = replay_follow(db, g, &more, &scenario, hosts, say);
	if (!rc)
		rc = replay_run(g, &scenario, out);
	replay_scenario_release(&scenario);
	return rc;
}

static int add_row(
	sqlite3_stmt *q, const struct sweep *s, double value, const struct replay_result *result)
{
	int rc;

	sqlite3_bind_text(q, 1, s->name, -1, SQLITE_STATIC);
	if (s->is_bytes)
		sqlite3_bind_int64(q, 2, (int64_t)value);
	else
		sqlite3_bind_double(q, 3, value);
	if (!result->stuck)
		sqlite3_bind_int64(q, 4, result->run_ns);
	sqlite3_bind_int64(q, 5, (int64_t)result->moved);
	sqlite3_bind_int64(q, 6, result->stuck);
	rc = db_execute(q);
	sqlite3_clear_bindings(q);
	return rc;
}

int replay_sweep(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	const char *sweep, struct replay_hosts *hosts, const struct say *say)
{
	struct sweep s;
	sqlite3_stmt *q = NULL;
	int rc = read_sweep(sweep, &s, say), step;

	if (rc)
		return rc;
	step = db_prepare(db, "INSERT INTO temp.scenario_sweep VALUES (?, ?, ?, ?, ?, ?)", &q);
	for (double value = s.from; value <= s.to && !rc && !step; value *= 2) {
		struct replay_result result = { 0 };

		rc = replay_at(db, g, changes, &s, value, hosts, &result, say);
		if (!rc)
			step = add_row(q, &s, value, &result);
		replay_result_release(&result);
	}
	sqlite3_finalize(q);
	return rc ? rc : step ? db_say(db, step, "write", say) : 0;
}
