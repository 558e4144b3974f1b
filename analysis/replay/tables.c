/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c: fills the tables of a replay (tables.h). */
#include "analysis/replay/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/queries.h"
#include "analysis/replay/queries.h"
#include "record.h"

/*
 * The recorded run and the predicted run both have noise. Of 100 differences between two normal
 * variables with the same deviation, 95 are at most this many deviations.
 */
#define INTERVAL_DEVIATIONS (1.96 * 1.4142135623730951)

/* A larger error of the model for the unchanged run, as a share of the run time, needs a note. */
#define OFF_MOST 0.03

/*
 * A pace above PACE_SLOW or below PACE_FAST makes the prediction doubtful. Of 220 predictions for
 * other placements, 5 of the 8 with such a pace were wrong by more than 8 %, and 5 of the 212
 * others.
 */
#define PACE_SLOW 1.25
#define PACE_FAST 0.8

/* Inserts one row of integers, with `text` in column `text_at` (-1: nowhere). */
static int insert(sqlite3_stmt *q, const int64_t *value, int n, int text_at, const char *text)
{
	for (int i = 0; i < n; i++)
		if (i == text_at)
			sqlite3_bind_text(q, i + 1, text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(q, i + 1, value[i]);
	return db_execute(q);
}

static int fill_ranks(sqlite3 *db, const struct replay_graph *g, const struct replay_result *before,
	const struct replay_result *after)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_rank", &q);

	for (uint32_t i = 0; i < g->nranks && !rc; i++) {
		const struct replay_rank_result *b = &before->rank[i], *a = &after->rank[i];
		const int64_t value[] = { g->rank[i].rank, b->end_ns, a->end_ns, b->computation_ns,
			a->computation_ns, b->inside_ns, a->inside_ns, b->wait_ns, a->wait_ns,
			b->path_ns, a->path_ns };

		rc = insert(q, value, 11, -1, NULL);
	}
	sqlite3_finalize(q);
	return rc;
}

static int fill_callsites(sqlite3 *db, const struct replay_graph *g,
	const struct replay_result *before, const struct replay_result *after)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_callsite", &q);

	for (uint32_t i = 0; i < g->nranks; i++)
		for (uint32_t s = 0; s < g->rank[i].nsites && !rc; s++)
			for (int c = 0; c < REPLAY_CAUSES && !rc; c++) {
				const uint32_t site = g->rank[i].first_site + s;
				const int64_t value[] = { g->rank[i].rank, s, 0,
					before->site[site].wait_ns[c],
					after->site[site].wait_ns[c] };

				if (value[3] || value[4])
					rc = insert(q, value, 5, 2, replay_cause_names[c]);
			}
	sqlite3_finalize(q);
	return rc;
}

static int fill_path(sqlite3 *db, const struct replay_graph *g, const struct replay_result *before,
	const struct replay_result *after)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_path", &q);

	for (uint32_t i = 0; i < g->nranks; i++)
		for (uint32_t s = 0; s < g->rank[i].nsites && !rc; s++) {
			const uint32_t site = g->rank[i].first_site + s;
			const struct replay_site_result *b = &before->site[site];
			const struct replay_site_result *a = &after->site[site];
			const int64_t computation[] = { g->rank[i].rank, s, 0,
				b->path_computation_ns, a->path_computation_ns };
			const int64_t call[] = { g->rank[i].rank, s, 0, b->path_call_ns,
				a->path_call_ns };

			if (computation[3] || computation[4])
				rc = insert(q, computation, 5, 2, "computation");
			if (!rc && (call[3] || call[4]))
				rc = insert(q, call, 5, 2, "call");
		}
	sqlite3_finalize(q);
	return rc;
}

/* Do calls take the time of a model because of messages between hosts, or of moved ranks? */
static bool by_model(const struct replay_scenario *s, const struct replay_result *after)
{
	return after->followed || s->moves;
}

/* How --set changes S of the links that the run uses. */
struct S_change {
	uint64_t before; /* UINT64_MAX: none is set, or they differ */
	bool grows;      /* on a link */
	bool above_S_p;  /* ... beyond S_p */
};

static struct S_change change_of_S(
	const struct replay_graph *g, const struct replay_scenario *scenario)
{
	struct S_change change = { .before = UINT64_MAX };
	bool equal = true;

	for (int t = 0; t < REPLAY_TIERS; t++) {
		if (!scenario->link || !scenario->S_set[t] || !replay_tier_used(g, t))
			continue;
		for (uint32_t i = 0; i < g->nranks; i++) {
			const struct loggps *was = &scenario->link[i][t].was;
			const struct loggps *is = &scenario->link[i][t].is;
			const bool grows = was->S == UINT64_MAX || is->S > was->S;

			equal &= change.before == UINT64_MAX || was->S == change.before;
			change.before = was->S;
			change.grows |= grows;
			change.above_S_p |= grows && !scenario->S_p_set[t] && is->S_p < is->S;
		}
	}
	if (!equal)
		change.before = UINT64_MAX;
	return change;
}

/* A limit or an assumption of the prediction; %llu, if any, stands for `n`. */
struct note {
	bool holds;
	uint64_t n;
	const char *format;
};

static int add_note(sqlite3 *db, const struct note *note)
{
	char *text = sqlite3_mprintf(note->format, (unsigned long long)note->n), *sql;
	int rc;

	sql = sqlite3_mprintf("INSERT INTO temp.scenario_note VALUES (%Q)", text);
	rc = sql ? db_exec_quiet(db, sql) : -ENOMEM;
	sqlite3_free(sql);
	sqlite3_free(text);
	return rc;
}

static int add_notes(sqlite3 *db, const struct note *notes, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		if (notes[i].holds)
			rc = add_note(db, &notes[i]);
	return rc;
}

#define ADD_NOTES(db, notes) add_notes(db, notes, sizeof(notes) / sizeof((notes)[0]))

/* Did nothing confirm the parameters of a link that the run uses? */
static bool is_unconfirmed(sqlite3 *db, const struct replay_graph *g)
{
	const int64_t tiers = db_int(db, sql_replay_unconfirmed, 0);

	return (tiers & 1 << TIER_NODE && replay_tier_used(g, TIER_NODE)) ||
		(tiers & 1 << TIER_NETWORK && replay_tier_used(g, TIER_NETWORK));
}

/* Reasons to doubt the prediction as a whole. */
static int note_doubts(sqlite3 *db, const struct replay_graph *g,
	const struct replay_scenario *scenario, const struct S_change *S,
	const struct replay_result *after)
{
	const int64_t no_cpu_ms = db_int(db, sql_replay_no_cpu, 0) / 1000000;
	const struct note notes[] = {
		{ after->stuck, after->stuck,
			"The program would hang: %llu threads would wait for each other for ever. "
			"Times below are those until then." },
		{ scenario->links_unused, 0,
			"The run knows its links: those of --links do not count, but flow cuts "
			"that the run lacks." },
		{ g->eager_above_S, g->eager_above_S,
			"Sends longer than S of the links did not wait for their receives (%llu of "
			"them), so S of the run was larger. Run tryst calibrate with the settings "
			"of the run, and give its file to --links." },
		{ S->before != UINT64_MAX && !after->moved && !g->eager_above_S, S->before,
			"--set S changes no protocol: S of the links is %llu B, and no send has a "
			"length between the two values. If the file of --links was made with the "
			"new S, make one with the run's S and give that." },
		{ is_unconfirmed(db, g), 0,
			"The run's link parameters are from an earlier calibration that the launch "
			"could not confirm." },
		{ no_cpu_ms > 0, (uint64_t)no_cpu_ms,
			"Ranks were ready to run but had no CPU for %llu ms, summed over all "
			"ranks, and the prediction keeps this time. A run with a CPU for each rank "
			"gives better predictions. If ranks must share CPUs, waiting ranks should "
			"yield: with Open MPI, OMPI_MCA_mpi_yield_when_idle=1." },
		{ after->followed && (scenario->pace > PACE_SLOW || scenario->pace < PACE_FAST), 0,
			"The prediction is doubtful: to reproduce the unchanged run, the model "
			"must multiply the time of data by a factor far from 1 (the pace below). "
			"The measured links do not explain it, and the interval does not cover "
			"it." },
	};

	return ADD_NOTES(db, notes);
}

/* Which parts of the run stay as they are, whatever changes. */
static int note_kept(sqlite3 *db, const struct replay_graph *g, const struct replay_result *same)
{
	const struct note notes[] = {
		{ same->corrected, same->corrected,
			"%llu waits for others contradict the run, and these calls keep their "
			"measured time." },
		{ g->not_kept, g->not_kept,
			"%llu messages have no row and keep their measured time: analyze with a "
			"larger --max-matches." },
		{ g->unmatched, g->unmatched,
			"%llu sends and receives without a partner keep their measured time." },
		{ g->collectives_cut, g->collectives_cut,
			"%llu calls of collectives keep their measured time: members are not "
			"known." },
		{ g->ninstances, g->ninstances,
			"Collectives keep their measured time after the last arrival (%llu of "
			"them): their algorithms are not modelled." },
		{ g->transfers, g->transfers,
			"%llu one-sided and file operations keep their measured time." },
		{ g->any_source, g->any_source,
			"%llu receives from any source take the messages that they took: work "
			"given out on demand stays with whom it was given to." },
		{ g->polled, g->polled,
			"%llu operations were completed by polling: what the program did between "
			"its tests counts as waiting." },
		{ g->start_unknown, 0,
			"No message tells when ranks left MPI_Init relative to each other: their "
			"clocks do." },
	};

	return ADD_NOTES(db, notes);
}

/* Are messages followed, and are ranks on three hosts or more? */
static bool has_ways_in(const struct replay_graph *g, const struct replay_scenario *scenario,
	const struct replay_result *after)
{
	const uint32_t *host = scenario->host_of;
	uint32_t second = 0;

	if (!after->followed)
		return false;
	for (uint32_t i = 1; i < g->nranks; i++) {
		if (host[i] == host[0] || (second && host[i] == host[second]))
			continue;
		if (second)
			return true;
		second = i;
	}
	return false;
}

/* What the scenario assumes. */
static int note_assumptions(sqlite3 *db, const struct replay_graph *g,
	const struct replay_scenario *scenario, const struct S_change *S,
	const struct replay_result *after)
{
	const bool ways_in = has_ways_in(g, scenario, after);
	const bool shared = ways_in && !scenario->ways_in_free;
	const bool cut_known = ways_in && !isnan(scenario->cuts->cut_in);
	const struct note notes[] = {
		{ S->grows, 0,
			"S is an extrapolation: a longer eager message is copied twice, which the "
			"links did not measure." },
		{ S->above_S_p, 0,
			"S_p stays below the new S: longer eager sends wait until the receiver is "
			"inside MPI." },
		{ scenario->moves, 0,
			"Ranks on another host compute as fast as before, and collectives take as "
			"long." },
		{ by_model(scenario, after), 0,
			"Calls that complete messages between hosts, or over another kind of link "
			"than in the run, take the time of the model." },
		{ after->followed, (uint64_t)llround(100 * scenario->pace),
			"Data between hosts takes %llu %% of the model's time, by the run's "
			"pace." },
		{ after->followed && scenario->off > OFF_MOST,
			(uint64_t)llround(100 * scenario->off),
			"With this pace the model's run time for the unchanged run is wrong by "
			"%llu %%. The interval includes this error as noise." },
		{ shared && cut_known, 0,
			"Two messages from different hosts to one slow each other down by the "
			"measured flow cut cut_in. Three or more share the way into the host "
			"equally." },
		{ shared && !cut_known, 0,
			"The prediction assumes that two messages into a host slow each other down "
			"as much as two messages out of a host do. Flow cut cut_in is unknown: "
			"tryst calibrate measures it on three hosts, one of them with two ranks." },
		{ ways_in && !shared && cut_known, 0,
			"Messages from several hosts to one do not slow each other down: the "
			"measured flow cut cut_in is small." },
		{ ways_in && !shared && !cut_known, 0,
			"The prediction assumes that messages from several hosts to one do not "
			"slow each other down: the run was faster than equal shares allow." },
		{ after->crowded, 0,
			"There are too many messages between hosts to follow them: over a changed "
			"link each takes its time alone, by the model." },
		{ scenario->model != REPLAY_MEASURED, 0,
			"Messages take the model's time instead of the measured one. Calls that "
			"only post keep their measured time." },
		{ scenario->model == REPLAY_LOGGP_1 || scenario->model == REPLAY_LOGGP_2, 0,
			"LogGP knows no S: only synchronous sends wait for their receives." },
		{ scenario->progress, 0,
			"A thread that moves messages is assumed to take no CPU time from ranks." },
		{ after->unmodelled, after->unmodelled,
			"%llu sends and receives keep their measured time without waits: "
			"parameters of their links are unknown. --links FILE of tryst calibrate "
			"gives them." },
	};

	return ADD_NOTES(db, notes);
}

static int fill_notes(sqlite3 *db, const struct replay_graph *g,
	const struct replay_scenario *scenario, const struct replay_result *same,
	const struct replay_result *after)
{
	const struct S_change S = change_of_S(g, scenario);
	int rc = note_doubts(db, g, scenario, &S, after);

	if (!rc)
		rc = note_kept(db, g, same);
	if (!rc)
		rc = note_assumptions(db, g, scenario, &S, after);
	return rc;
}

int replay_table_efficiency(
	sqlite3 *db, const struct replay_efficiency *e, bool ideal_known, const struct say *say)
{
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario_efficiency", &q);

	if (!rc) {
		const int64_t value[] = { e->run_ns, e->ideal_ns, e->mean_computation_ns,
			e->max_computation_ns };

		rc = insert(q, value, 4, ideal_known ? -1 : 1, NULL);
	}
	sqlite3_finalize(q);
	return rc ? db_say(db, rc, "write", say) : 0;
}

/* Of table scenario: columns that are NULL if the noise is unknown, and how many run.db has, too.
 */
enum { RUN_LOW = 3, RUN_HIGH, STORED_OF_RUN = 7 };

static int fill_run(sqlite3 *db, const struct replay_scenario *scenario,
	const struct replay_result *before, const struct replay_result *same,
	const struct replay_result *after)
{
	const double off = INTERVAL_DEVIATIONS * after->noise_ns;
	const bool known = !isnan(off) && off < (double)REPLAY_NS_MAX && !after->stuck;
	const int64_t off_ns = known ? llround(off) : 0;
	const int64_t run[] = { before->run_ns, same->run_ns, after->run_ns,
		after->run_ns > off_ns ? after->run_ns - off_ns : 0, after->run_ns + off_ns,
		(int64_t)after->moved, after->stuck, by_model(scenario, after) };
	sqlite3_stmt *q = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "temp.scenario", &q);

	for (int i = 0; !rc && i < 8; i++)
		if (known || (i != RUN_LOW && i != RUN_HIGH))
			sqlite3_bind_int64(q, i + 1, run[i]);
	if (!rc)
		rc = db_execute(q);
	sqlite3_finalize(q);
	return rc;
}

int replay_tables(sqlite3 *db, const struct replay_graph *g, const struct replay_scenario *scenario,
	const struct replay_result *before, const struct replay_result *same,
	const struct replay_result *after, const struct say *say)
{
	int rc = db_exec_quiet(db, sql_replay_tables);

	if (!rc)
		rc = fill_run(db, scenario, before, same, after);
	if (!rc)
		rc = fill_ranks(db, g, before, after);
	if (!rc)
		rc = fill_callsites(db, g, before, after);
	if (!rc)
		rc = fill_path(db, g, before, after);
	if (!rc)
		rc = fill_notes(db, g, scenario, same, after);
	return rc ? db_say(db, rc, "write", say) : 0;
}

/* Copies all rows of temp.NAME of `from` into NAME of `to`, with `scenario` as the first column. */
static int copy_table(sqlite3 *from, sqlite3 *to, const char *name, int64_t scenario)
{
	char *read_sql = sqlite3_mprintf("SELECT * FROM temp.\"%w\"", name), *write_sql = NULL;
	sqlite3_stmt *read = NULL, *write = NULL;
	int rc = read_sql ? db_prepare(from, read_sql, &read) : -ENOMEM;
	int n = 0;

	if (!rc) {
		n = sqlite3_column_count(read);
		write_sql = sqlite3_mprintf("INSERT INTO main.\"%w\" VALUES (?%.*s)", name, 3 * n,
			", ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?");
		rc = write_sql ? db_prepare(to, write_sql, &write) : -ENOMEM;
	}
	while (!rc && (rc = db_step(read)) == 1) {
		sqlite3_bind_int64(write, 1, scenario);
		for (int i = 0; i < n; i++)
			sqlite3_bind_value(write, i + 2, sqlite3_column_value(read, i));
		rc = db_execute(write);
	}
	sqlite3_finalize(read);
	sqlite3_finalize(write);
	sqlite3_free(read_sql);
	sqlite3_free(write_sql);
	return rc;
}

/*
 * The number of the scenario with these changes. Removes its earlier prediction. Below 0: failed.
 */
static int64_t renew_scenario(sqlite3 *to, const char *changes)
{
	static const char *const tables[] = { "scenario_rank", "scenario_callsite", "scenario_path",
		"scenario" };
	sqlite3_stmt *q = NULL;
	int64_t scenario = -1;
	int rc = db_prepare(to, sql_replay_scenario_number, &q);

	if (!rc) {
		sqlite3_bind_text(q, 1, changes, -1, SQLITE_STATIC);
		if (db_step(q) == 1)
			scenario = sqlite3_column_int64(q, 0);
		rc = db_finalize(q);
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !rc; i++) {
		char *sql = sqlite3_mprintf("DELETE FROM main.%s WHERE scenario = %lld", tables[i],
			(long long)scenario);

		rc = sql ? db_exec_quiet(to, sql) : -ENOMEM;
		sqlite3_free(sql);
	}
	return rc ? -1 : scenario;
}

/* Copies the row of table scenario. */
static int copy_run(sqlite3 *from, sqlite3 *to, const char *changes, int64_t scenario)
{
	sqlite3_stmt *read = NULL, *write = NULL;
	int rc = db_prepare(from, "SELECT * FROM temp.scenario", &read);

	if (!rc)
		rc = db_prepare_insert(to, DB_INSERT, "main.scenario", &write);
	if (!rc && db_step(read) == 1) {
		sqlite3_bind_int64(write, 1, scenario);
		sqlite3_bind_text(write, 2, changes, -1, SQLITE_STATIC);
		for (int i = 0; i < STORED_OF_RUN; i++)
			sqlite3_bind_value(write, i + 3, sqlite3_column_value(read, i));
		rc = db_execute(write);
	}
	sqlite3_finalize(read);
	sqlite3_finalize(write);
	return rc;
}

int replay_store(sqlite3 *from, sqlite3 *to, const char *changes, const struct say *say)
{
	static const char *const tables[] = { "scenario_rank", "scenario_callsite",
		"scenario_path" };
	int64_t scenario;
	int rc = db_exec_quiet(to, "BEGIN IMMEDIATE");

	if (!rc)
		rc = db_exec_quiet(to, sql_db_scenario_tables);
	if (!rc && (scenario = renew_scenario(to, changes)) < 0)
		rc = db_last_error(to) ? db_last_error(to) : -ENOMEM;
	if (!rc)
		rc = copy_run(from, to, changes, scenario);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !rc; i++)
		rc = copy_table(from, to, tables[i], scenario);
	if (!rc)
		rc = db_exec_quiet(to, "COMMIT");
	return rc ? db_say(to, rc, "write", say) : 0;
}
