/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c: the part of a run to export: a time, and named ranks or those that waited longest. */
#include <config.h>

#include "analysis/export/export.h"
#include "analysis/export/queries.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/format/db/db.h"

static void leave_out_all(struct export_run *run)
{
	for (uint32_t i = 0; i < run->nranks; i++)
		run->rank[i].left_out = true;
}

/* Reads the rank at *text, and moves *text behind it. -1: there is none. */
static int64_t read_rank(const char **text)
{
	char *end;
	unsigned long n;

	if (**text < '0' || **text > '9')
		return -1;
	errno = 0;
	n = strtoul(*text, &end, 10);
	*text = end;
	return errno || n > INT32_MAX ? -1 : (int64_t)n;
}

/* "3" or "0-7,12". Returns false if it is no such list. */
static bool choose_named(struct export_run *run, const char *list)
{
	leave_out_all(run);
	for (const char *at = list;; at++) {
		int64_t first = read_rank(&at), last = first;

		if (first >= 0 && *at == '-') {
			at++;
			last = read_rank(&at);
		}
		if (first < 0 || last < first || (*at && *at != ','))
			return false;
		for (uint32_t i = 0; i < run->nranks; i++)
			if (run->rank[i].rank >= first && run->rank[i].rank <= last)
				run->rank[i].left_out = false;
		if (!*at)
			return true;
	}
}

static int choose_worst(struct export_run *run, int64_t worst)
{
	sqlite3_stmt *s;
	int rc = db_prepare(run->db, sql_export_worst, &s);

	leave_out_all(run);
	if (!rc)
		sqlite3_bind_int64(s, 1, worst);
	while (!rc && db_step(s) > 0) {
		const int64_t i = export_rank_index(run, sqlite3_column_int64(s, 0));

		if (i >= 0)
			run->rank[i].left_out = false;
	}
	if (!rc)
		rc = db_finalize(s);
	return rc ? db_say(run->db, rc, "read", run->say) : 0;
}

/* The nearest: 0.506781819 s as a double is less than that. */
static int64_t ns_of(double s)
{
	return (int64_t)(s * 1e9 + 0.5);
}

int export_choose_time(struct export_run *run, double from_s, double to_s)
{
	run->from_ns = ns_of(from_s);
	run->to_ns = to_s > 0 ? ns_of(to_s) : INT64_MAX;
	if (run->from_ns > run->to_ns) {
		say_line(run->say, "--from %g is after --to %g", from_s, to_s);
		return -EINVAL;
	}
	if (run->from_ns > 0 && run->from_ns > run->end_ns) {
		say_line(run->say, "--from %g is after the end of the run: it took %.6g s", from_s,
			(double)run->end_ns / 1e9);
		return -EINVAL;
	}
	return 0;
}

int export_check_part(const struct export_run *run)
{
	const int64_t to_ns = run->to_ns < run->end_ns ? run->to_ns : run->end_ns;
	const bool of_time = run->from_ns > 0 || run->to_ns != INT64_MAX;
	bool all = true;

	for (uint32_t i = 0; i < run->nranks; i++)
		all &= !run->rank[i].left_out;
	if (run->has_calls || (all && !of_time))
		return 0;
	if (of_time)
		say_line(run->say, "no call%s is between %.9f s and %.9f s of the run",
			all ? "" : " of these ranks", (double)run->from_ns / 1e9,
			(double)to_ns / 1e9);
	else
		say_line(run->say, "the run has no call of these ranks");
	return -ENODATA;
}

int export_choose(struct export_run *run, const char *ranks, int64_t worst)
{
	uint32_t left = 0;

	if (ranks && !choose_named(run, ranks)) {
		say_line(run->say, "'%s' is no list of ranks such as 0-7,12", ranks);
		return -EINVAL;
	}
	if (worst > 0 && choose_worst(run, worst) != 0)
		return -EIO;
	for (uint32_t i = 0; i < run->nranks; i++)
		left += !run->rank[i].left_out;
	if (left)
		return 0;
	say_line(run->say, "the run has none of these ranks");
	return -EINVAL;
}
