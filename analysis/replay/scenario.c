/* SPDX-License-Identifier: BSD-3-Clause */
/* scenario.c: parses changes and applies them to a run (scenario.h). */
#include "analysis/replay/scenario.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/duration.h"
#include "analysis/format/db/db.h"
#include "analysis/replay/balance.h"
#include "analysis/replay/place.h"
#include "record.h"

enum {
	CHANGE_BYTES = 256,
	/*
	 * The receiver's host takes this much of a TCP connection's data while the receiver
	 * computes: half of Linux's initial receive buffer (net.ipv4.tcp_rmem) [B].
	 */
	TCP_TAKES = 65536
};

static const char *const tier_names[REPLAY_TIERS] = { "self", "node", "network" };

/* Reads a list of changes. */
struct reader_of_changes {
	const struct replay_graph *g;
	struct replay_scenario *out;
	sqlite3 *db;
	const struct say *say;
	char change[CHANGE_BYTES]; /* the one that is read */
};

/* The run's links, or those of two files. */
static int read_links(struct reader_of_changes *r, const struct replay_changes *changes)
{
	const uint32_t n = r->g->nranks;
	struct replay_scenario *out = r->out;
	bool taken;
	int rc;

	out->link = calloc((size_t)n + 1, sizeof(*out->link));
	if (!out->link)
		return -ENOMEM;
	if (!changes->links) {
		rc = replay_links_read(r->db, r->g, changes->links_more, changes->nlinks_more,
			out->link, &taken, r->say);
		out->links_unused = changes->nlinks_more && !taken;
		return rc;
	}
	rc = replay_links_of_files(r->g, changes->links_was, changes->links, out->link, r->say);
	for (int t = 0; t < REPLAY_TIERS && n; t++) {
		out->S[t] = out->link[n - 1][t].is.S; /* the same for all ranks */
		out->S_set[t] = true;
	}
	out->links_change = true;
	return rc;
}

static int refuse(const struct reader_of_changes *r, const char *why)
{
	say_line(r->say, "cannot change '%s': %s", r->change, why);
	return -EINVAL;
}

bool replay_read_value(const char *text, bool is_bytes, double *value)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = { { "", 1 }, { "B", 1 }, { "K", 1024 }, { "KiB", 1024 }, { "M", 1048576 },
		{ "MiB", 1048576 }, { "G", 1073741824 }, { "GiB", 1073741824 } };
	char *end;

	if (!is_bytes)
		return duration_read(text, 1, value) && *value >= 0 && *value < REPLAY_BYTES_END;
	*value = strtod(text, &end);
	if (end == text || !isfinite(*value) || *value < 0)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(units[i].unit, end) == 0) {
			*value = round(*value * units[i].factor);
			return *value < REPLAY_BYTES_END;
		}
	return false;
}

/* Calls take() for each change of a list, which it may cut. */
static int each_change(struct reader_of_changes *r, const char *list,
	int (*take)(struct reader_of_changes *r, char *change))
{
	char change[CHANGE_BYTES];
	int rc = 0;

	while (list && *list && !rc) {
		const size_t n = strcspn(list, ",");

		snprintf(r->change, sizeof(r->change), "%.*s", (int)(n < 200 ? n : 200), list);
		snprintf(change, sizeof(change), "%s", r->change);
		rc = n > 200 ? refuse(r, "too long") : take(r, change);
		list += n + (list[n] == ',');
	}
	return rc;
}

/* The overheads stay. What a whole message takes beyond them goes. */
static void make_ideal(struct loggps *p)
{
	p->L = 0;
	p->one_way = 2 * p->o;
	p->rendezvous = 0;
	p->jump_long = 0;
	p->nknees = 0;
	for (int i = 0; i < LOGGPS_REGIMES; i++) {
		p->by[i].G = 0;
		p->by[i].sum = p->by[i].O_s + p->by[i].O_r;
	}
}

static double changed(double value, bool is_factor, double by)
{
	return is_factor ? value * by : by;
}

/* Changes a size in whole bytes (UINT64_MAX: unknown). Returns NULL, or why it cannot. */
static const char *change_bytes(uint64_t *to, uint64_t value, bool is_factor, double by)
{
	const double bytes = round(changed((double)value, is_factor, by));

	if (is_factor && value == UINT64_MAX)
		return "the size is unknown on a link that the run uses";
	if (bytes >= REPLAY_BYTES_END)
		return "too large";
	*to = (uint64_t)bytes;
	return NULL;
}

/* One parameter of one link. NULL, or why it cannot be. */
static const char *change_link(struct loggps *p, char name, bool is_factor, double by)
{
	double more;

	switch (name) {
	case 'L':
		if (isnan(p->L))
			return "L is not identified on a link that the run used (tryst report -s "
			       "links); o can be set instead";
		more = changed(p->L, is_factor, by) - p->L;
		p->L += more;
		p->one_way += more;
		p->rendezvous += 2 * more;
		return NULL;
	case 'o':
		if (isnan(p->o))
			return "o is not known on a link that the run used";
		more = changed(p->o, is_factor, by) - p->o;
		p->o += more;
		p->one_way += 2 * more;
		p->rendezvous += 4 * more;
		return NULL;
	case 'G':
		for (int i = 0; i < LOGGPS_REGIMES; i++) {
			if (isnan(p->by[i].G))
				return "G is not identified on a link that the run used";
			more = changed(p->by[i].G, is_factor, by) - p->by[i].G;
			p->by[i].G += more;
			p->by[i].sum += more;
		}
		p->jump_long = is_factor ? p->jump_long * by : 0;
		return NULL;
	case 's':
		return change_bytes(&p->s, p->s, is_factor, by);
	default:
		return "only L, o, G, s, S and S_p can be set";
	}
}

bool replay_tier_used(const struct replay_graph *g, int tier)
{
	for (uint32_t i = 0; i < g->nparts; i++)
		if (g->part[i].tier == tier && replay_is_message(&g->part[i]))
			return true;
	return false;
}

/* The least S of the links of the kind that the run uses, as measured; UINT64_MAX: unknown. */
static uint64_t least_S(const struct reader_of_changes *r, int tier)
{
	uint64_t S = UINT64_MAX;

	for (uint32_t i = 0; i < r->g->nranks && replay_tier_used(r->g, tier); i++)
		if (r->out->link[i][tier].was.S < S)
			S = r->out->link[i][tier].was.S;
	return S;
}

/* The same for S_p. */
static uint64_t least_S_p(const struct reader_of_changes *r, int tier)
{
	uint64_t S_p = UINT64_MAX;

	for (uint32_t i = 0; i < r->g->nranks && replay_tier_used(r->g, tier); i++)
		if (r->out->link[i][tier].was.S_p < S_p)
			S_p = r->out->link[i][tier].was.S_p;
	return S_p;
}

/* A factor changes no link that the run does not use, or whose size `was` is unknown. */
static bool is_changed(
	const struct reader_of_changes *r, int tier, int only, bool is_factor, uint64_t was)
{
	return (only < 0 || tier == only) &&
		(!is_factor || (replay_tier_used(r->g, tier) && was != UINT64_MAX));
}

static int unknown_size(const struct reader_of_changes *r)
{
	return refuse(r, "the size is unknown on each link that the run uses");
}

/* A size that was as large as S, and was not set by itself, grows with S, up to `most`. */
static void follow_S(uint64_t *size, uint64_t was, const struct replay_link *link, uint64_t most)
{
	const uint64_t S = link->is.S < most ? link->is.S : most;

	if (was >= link->was.S && *size == was && *size < S)
		*size = S;
}

/* only: the tier; -1: all. */
static int set_S(struct reader_of_changes *r, int only, bool is_factor, double by)
{
	int n = 0;

	for (int t = 0; t < REPLAY_TIERS; t++) {
		const uint64_t was = least_S(r, t);
		const char *why;

		if (!is_changed(r, t, only, is_factor, was))
			continue;
		why = change_bytes(&r->out->S[t], was, is_factor, by);
		if (why)
			return refuse(r, why);
		r->out->S_set[t] = true;
		n++;
		for (uint32_t i = 0; i < r->g->nranks; i++) {
			struct replay_link *link = &r->out->link[i][t];

			link->is.S = r->out->S[t];
			/* where sends up to S need no progress, and where all eager messages are
			 * short */
			follow_S(&link->is.S_p, link->was.S_p, link,
				t == TIER_NETWORK ? TCP_TAKES : UINT64_MAX);
			follow_S(&link->is.s, link->was.s, link, UINT64_MAX);
		}
	}
	return n ? 0 : unknown_size(r);
}

/* Is there a send that needed no progress in the run, but needs some with S_p = `by`? */
static bool shows_too_little(const struct reader_of_changes *r, int tier, uint64_t by)
{
	for (uint32_t i = 0; i < r->g->nranks; i++)
		for (uint32_t p = 0; p < r->g->rank[i].nparts; p++) {
			const struct replay_part *part = &r->g->part[r->g->rank[i].first_part + p];

			if (part->is_send && !part->rendezvous && !part->buffered &&
				part->tier == tier && part->bytes > by &&
				part->bytes <= r->out->link[i][tier].was.S_p)
				return true;
		}
	return false;
}

static int set_S_p(struct reader_of_changes *r, int only, bool is_factor, double by)
{
	int n = 0;

	for (int t = 0; t < REPLAY_TIERS; t++) {
		const uint64_t was = least_S_p(r, t);
		const char *why;

		if (!is_changed(r, t, only, is_factor, was))
			continue;
		why = change_bytes(&r->out->S_p[t], was, is_factor, by);
		if (why)
			return refuse(r, why);
		r->out->S_p_set[t] = true;
		n++;
		if (shows_too_little(r, t, r->out->S_p[t]))
			return refuse(r,
				"sends of this run would wait for progress, and it does not show "
				"for how long: S_p can only be raised");
		for (uint32_t i = 0; i < r->g->nranks; i++)
			r->out->link[i][t].is.S_p = r->out->S_p[t];
	}
	return n ? 0 : unknown_size(r);
}

bool replay_is_bytes(const char *name)
{
	return strcmp(name, "s") == 0 || strcmp(name, "S") == 0 || strcmp(name, "S_p") == 0;
}

static int take_set(struct reader_of_changes *r, char *change)
{
	char *value = strpbrk(change, "=*"), *name = change;
	int only = -1;
	bool is_factor;
	double by;

	for (int t = 0; t < REPLAY_TIERS; t++)
		if (strncmp(change, tier_names[t], strlen(tier_names[t])) == 0 &&
			change[strlen(tier_names[t])] == '.') {
			only = t;
			name += strlen(tier_names[t]) + 1;
		}
	if (!value || (value != name + 1 && (value != name + 3 || strncmp(name, "S_p", 3) != 0)))
		return refuse(r, "it is NAME=VALUE or NAME*FACTOR, of L, o, G, s, S and S_p");
	is_factor = *value == '*';
	*value++ = 0;
	if (!replay_read_value(value, !is_factor && replay_is_bytes(name), &by))
		return refuse(r, "no number with a unit that fits");
	r->out->links_change = true;
	if (strcmp(name, "S_p") == 0)
		return set_S_p(r, only, is_factor, by);
	if (*name == 'S')
		return set_S(r, only, is_factor, by);
	for (int t = 0; t < REPLAY_TIERS; t++) {
		if ((only >= 0 && t != only) || !replay_tier_used(r->g, t))
			continue;
		for (uint32_t i = 0; i < r->g->nranks; i++) {
			const char *why = change_link(&r->out->link[i][t].is, *name, is_factor, by);

			if (why)
				return refuse(r, why);
		}
	}
	return 0;
}

/* After all changes of the links, since it depends on S and on G. Links have no other knees. */
static void bound_slopes(struct reader_of_changes *r)
{
	for (uint32_t i = 0; i < r->g->nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			loggps_bound_slope(&r->out->link[i][t].is, r->out->link[i][t].was.S);
}

/* "rank:N" before `end`; an index, or nranks. */
static uint32_t read_rank_name(const struct replay_graph *g, const char *text, char **end)
{
	long n;

	if (strncmp(text, "rank:", 5) != 0 || !isdigit((unsigned char)text[5]))
		return g->nranks;
	n = strtol(text + 5, end, 10);
	return replay_rank_index(g, n);
}

/* Divides the slowness of the rank's marked call sites; mark NULL: of all. */
static void speed_up(struct reader_of_changes *r, uint32_t rank, const int64_t *mark, double factor)
{
	const struct replay_rank *at = &r->g->rank[rank];

	for (uint32_t i = at->first_site; i < at->first_site + at->nsites; i++)
		if (!mark || mark[i])
			r->out->slowness[i] /= factor;
}

/* Speeds up the computation before calls at the place: of `rank`, or of all if it is nranks. */
static int speed_place(struct reader_of_changes *r, uint32_t rank, const char *place, double factor)
{
	int64_t *mark = calloc(r->g->nsites + 1, sizeof(*mark));
	int rc = mark ? 0 : -ENOMEM, found = 0;

	for (uint32_t i = 0; i < r->g->nranks && rc >= 0; i++) {
		if (rank < r->g->nranks && i != rank)
			continue;
		rc = replay_add_at(r->db, r->g, i, place, 1, mark);
		found += rc > 0;
		if (rc > 0)
			speed_up(r, i, mark, factor);
	}
	free(mark);
	if (rc < 0)
		return rc == -ENOMEM ? rc : db_say(r->db, rc, "read", r->say);
	return found ? 0 :
		       refuse(r,
			       rank < r->g->nranks ? "the rank calls MPI at no such line" :
						     "no rank calls MPI at this line; "
						     "rank:R=FACTOR is for all of a rank");
}

static int take_speed(struct reader_of_changes *r, char *change)
{
	const struct replay_graph *g = r->g;
	char *place = change, *value = strrchr(change, '=');
	const bool is_rank = strncmp(change, "rank:", 5) == 0;
	const uint32_t rank = read_rank_name(g, change, &place);
	double factor;

	if ((is_rank && (rank == g->nranks || (*place != '=' && *place != '@'))) || !value ||
		value == change || !replay_read_value(value + 1, false, &factor) || factor <= 0)
		return refuse(r,
			"it is rank:R=FACTOR, [FILE:]LINE=FACTOR or rank:R@[FILE:]LINE=FACTOR, of "
			"a rank of the run");
	*value = 0;
	if (!r->out->slowness) {
		r->out->slowness = malloc((g->nsites + 1) * sizeof(double));
		if (!r->out->slowness)
			return -ENOMEM;
		for (uint32_t i = 0; i < g->nsites; i++)
			r->out->slowness[i] = 1;
	}
	if (is_rank && !*place) {
		speed_up(r, rank, NULL, factor);
		return 0;
	}
	return speed_place(r, rank, place + (*place == '@'), factor);
}

static int take_add(struct reader_of_changes *r, char *change)
{
	char *end = change, *value = strrchr(change, '=');
	const uint32_t rank = read_rank_name(r->g, change, &end);
	double ns;
	int n;

	if (rank == r->g->nranks || *end != '@' || !value ||
		!replay_read_value(value + 1, false, &ns))
		return refuse(r, "it is rank:R@LINE=TIME or rank:R@FILE:LINE=TIME");
	*value = 0;
	if (!r->out->add_ns)
		r->out->add_ns = calloc(r->g->nsites + 1, sizeof(*r->out->add_ns));
	if (!r->out->add_ns)
		return -ENOMEM;
	n = replay_add_at(r->db, r->g, rank, end + 1, llround(ns), r->out->add_ns);
	if (n < 0)
		return db_say(r->db, n, "read", r->say);
	return n ? 0 : refuse(r, "the rank calls MPI at no such line");
}

/* Marks all ranks' callsites at the place. */
static int mark_place(
	struct reader_of_changes *r, const char *place, int64_t mark, int64_t *of_site)
{
	int found = 0;

	for (uint32_t i = 0; i < r->g->nranks; i++) {
		const int n = replay_add_at(r->db, r->g, i, place, mark, of_site);

		if (n < 0)
			return db_say(r->db, n, "read", r->say);
		found += n;
	}
	return found ? 0 : refuse(r, "no rank calls MPI at one of these lines");
}

static int balance_between(struct reader_of_changes *r)
{
	char first[CHANGE_BYTES];
	const char *second = strchr(r->change, ',');
	int64_t *place;
	int rc;

	if (!second)
		return refuse(
			r, "it is two places [FILE:]LINE,[FILE:]LINE, or collectives, or run");
	snprintf(first, sizeof(first), "%.*s", (int)(second - r->change), r->change);
	place = calloc(r->g->nsites + 1, sizeof(*place));
	if (!place)
		return -ENOMEM;
	rc = mark_place(r, first, PLACE_BEGINS, place);
	if (!rc)
		rc = mark_place(r, second + 1, PLACE_ENDS, place);
	if (!rc)
		rc = replay_balance(r->g, SECTIONS_PLACES, place, r->out->gap_ns);
	free(place);
	return rc;
}

static int read_balance(struct reader_of_changes *r, const char *balance)
{
	if (!balance)
		return 0;
	if (strlen(balance) >= sizeof(r->change))
		return refuse(r, "too long");
	strcpy(r->change, balance);
	r->out->gap_ns = malloc(((size_t)r->g->ncalls + 1) * sizeof(*r->out->gap_ns));
	if (!r->out->gap_ns)
		return -ENOMEM;
	if (strcmp(balance, "run") == 0)
		return replay_balance(r->g, SECTIONS_RUN, NULL, r->out->gap_ns);
	if (strcmp(balance, "collectives") == 0)
		return replay_balance(r->g, SECTIONS_COLLECTIVES, NULL, r->out->gap_ns);
	return balance_between(r);
}

/* Messages above S go in pieces of S. */
static int cut_messages(struct reader_of_changes *r)
{
	uint64_t S = UINT64_MAX;

	strcpy(r->change, "fragment");
	for (int t = 0; t < REPLAY_TIERS; t++) {
		const uint64_t of_tier = r->out->S_set[t] ? r->out->S[t] : least_S(r, t);

		S = of_tier < S ? of_tier : S;
	}
	if (S == 0 || S == UINT64_MAX)
		return refuse(r, "S is not known or 0: --set S");
	r->out->links_change = true;
	r->out->piece_bytes = S;
	return 0;
}

static int take_no_waits(struct reader_of_changes *r, char *change)
{
	for (int i = 0; i < REPLAY_CAUSES; i++)
		if (strcmp(change, replay_cause_names[i]) == 0) {
			r->out->no_waits[i] = true;
			return 0;
		}
	return refuse(r, "it is late_sender, late_receiver, collective or late_progress");
}

static void make_all_ideal(struct reader_of_changes *r)
{
	r->out->links_change = r->out->ideal = true;
	for (uint32_t i = 0; i < r->g->nranks; i++)
		for (int t = 0; t < REPLAY_TIERS; t++)
			make_ideal(&r->out->link[i][t].is);
}

/* The longest message that the run sent over links of the kind [B]. */
static uint64_t longest_message(const struct replay_graph *g, int tier)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < g->nparts; i++)
		if (g->part[i].instance == REPLAY_NONE && g->part[i].tier == tier &&
			g->part[i].bytes > bytes)
			bytes = g->part[i].bytes;
	return bytes;
}

/*
 * LogGP's parameters from those of LogGPS. LogGP-2 has the lines of short and of eager messages, as
 * the source's Table 9. LogGP-1 has the line through the shortest and the longest message of the
 * run.
 */
static struct replay_loggp loggp_of(
	const struct loggps *p, enum replay_model model, uint64_t longest)
{
	const struct loggps_slopes *by = p->by;
	struct replay_loggp l = { .o = { p->o, p->o },
		.one_way = { p->one_way, p->one_way },
		.G = { by[LOGGPS_SHORT].sum, by[LOGGPS_LONG].sum },
		.s = p->s < p->S ? p->s : p->S };

	if (longest > l.s) {
		l.o[1] += p->jump_long / 2;
		l.one_way[1] += p->jump_long;
	} else
		l.s = UINT64_MAX;
	if (model == REPLAY_LOGGP_1 && l.s != UINT64_MAX) {
		const double k = (double)(longest - 1);

		l.G[0] = k > 0 ? (l.one_way[1] - l.one_way[0]) / k + l.G[1] : l.G[1];
		l.s = UINT64_MAX;
	}
	return l;
}

static int read_model(struct reader_of_changes *r, const char *name)
{
	static const char *const names[] = { NULL, "LogGPS", "LogGP-1", "LogGP-2" };

	for (int m = REPLAY_LOGGPS; name && m <= REPLAY_LOGGP_2; m++)
		if (strcmp(name, names[m]) == 0)
			r->out->model = (enum replay_model)m;
	if (name && r->out->model == REPLAY_MEASURED) {
		snprintf(r->change, sizeof(r->change), "model %.200s", name);
		return refuse(r, "it is LogGPS, LogGP-1 or LogGP-2");
	}
	for (int t = 0; t < REPLAY_TIERS && name && r->g->nranks; t++) {
		const struct loggps *p = &r->out->link[0][t].is;
		const uint64_t longest = longest_message(r->g, t);

		r->out->loggp[t] = loggp_of(p, r->out->model, longest);
		if (replay_tier_used(r->g, t) &&
			isnan(loggps_recv(p, 1, 1, 0) + loggps_recv(p, longest, 0, 0) +
				loggps_send(p, longest, 0, 0))) {
			snprintf(r->change, sizeof(r->change), "model %.200s", name);
			return refuse(r,
				"parameters of a link are unknown: --links FILE of tryst "
				"calibrate");
		}
	}
	return 0;
}

static bool links_equal(const struct replay_scenario *s, uint32_t nranks)
{
	for (uint32_t i = 1; i < nranks; i++)
		if (memcmp(s->link[i], s->link[0], sizeof(s->link[0])) != 0)
			return false;
	return true;
}

int replay_scenario_read(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	struct replay_scenario *out, const struct say *say)
{
	struct reader_of_changes r = { .g = g, .out = out, .db = db, .say = say };
	int rc;

	memset(out, 0, sizeof(*out));
	rc = read_links(&r, changes);
	if (!rc)
		replay_protocols_by_S(g, out->link);
	if (!rc)
		rc = each_change(&r, changes->set, take_set);
	if (!rc && changes->set)
		bound_slopes(&r);
	if (!rc && changes->ideal_network)
		make_all_ideal(&r);
	if (!rc && changes->fragment)
		rc = cut_messages(&r);
	out->progress = changes->progress;
	if (!rc)
		rc = each_change(&r, changes->speed, take_speed);
	if (!rc)
		rc = each_change(&r, changes->add, take_add);
	if (!rc)
		rc = read_balance(&r, changes->balance);
	if (!rc)
		rc = each_change(&r, changes->no_waits, take_no_waits);
	if (!rc)
		rc = read_model(&r, changes->model);
	out->links_equal = !rc && links_equal(out, g->nranks);
	return rc;
}

void replay_scenario_release(struct replay_scenario *s)
{
	free(s->link);
	free(s->slowness);
	free(s->add_ns);
	free(s->gap_ns);
	free(s->tier);
	memset(s, 0, sizeof(*s));
}
