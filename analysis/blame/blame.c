/* SPDX-License-Identifier: BSD-3-Clause */
/* blame.c: charges the cost of waits to activities, from the last wait to the first (blame.h). */
#include "analysis/blame/blame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/ranks/cells.h"
#include "analysis/base/heap.h"
#include "analysis/blame/origins.h"
#include "analysis/format/db/db.h"

enum {
	PIECES_MAX = 20000,    /* pieces of one rank's history for one wait */
	WINDOWS_MAX = 1 << 19, /* waits of a period in memory, over all lanes */
	PERIODS = 2,
	UNITS = 256 /* a cell's unit: ns / UNITS */
};

static const struct cells_layout blame_layout = { .table = "blame_cell",
	.keys = 5,
	.sums = 2 + ORIGINS + 2 };

/* A wait, and the parts of its cost that come from waits of each bottleneck. */
struct debt {
	struct history_wait wait;
	float of[ORIGINS];
};

/* Waits of a lane that are not yet handled, the last one first, as far back as was read. */
struct window {
	struct debt *debt; /* [head, n) */
	uint32_t head, n, room;
	/* older ones: those below `next` in this block, and earlier blocks */
	uint32_t block, next;
};

/* The waits that end in (from, to]. Other waits have no influence on their blame. */
struct period {
	struct history *history;
	const struct run_ranks *ranks;
	const struct sites *sites;
	const struct origins *origins;
	int64_t from, to;
	struct history_view view;
	struct lane_logs_view waits;
	struct window *lane;
	uint32_t in_windows;
	struct heap by_end; /* windows by the end of their last wait, negative */
	struct cells *cells;
	struct activities late, waiting;
	struct activities stood; /* the waits' own time */
	struct blame_result result;
	int error;       /* negative errno */
	int write_error; /* negative errno of writing cells */
};

static uint32_t index_of(const struct period *p, uint32_t lane)
{
	return (uint32_t)(history_rank(p->history, lane) - p->ranks->at);
}

static struct debt *push_debt(struct period *p, struct window *w)
{
	if (w->n == w->room && w->head > w->room / 2) {
		memmove(w->debt, w->debt + w->head, (w->n - w->head) * sizeof(*w->debt));
		w->n -= w->head;
		w->head = 0;
	}
	if (array_room(&w->debt, sizeof(*w->debt), &w->room, w->n)) {
		p->error = -ENOMEM;
		return NULL;
	}
	p->in_windows++;
	return &w->debt[w->n++];
}

/* Adds the wait's own cost to its bottleneck; ORIGINS: to none. */
static uint32_t origin_of(const struct period *p, const struct history_wait *w)
{
	return w->code ? origins_find(p->origins, index_of(p, w->lane), w->post, w->code) : ORIGINS;
}

/* Reads one more wait into the window. False: the period has no older one of that lane. */
static bool take_older(struct period *p, uint32_t lane)
{
	struct window *w = &p->lane[lane];
	const struct history_wait *record;
	struct debt *place;
	uint32_t n, origin;

	while (w->next == 0 && w->block > 0) {
		w->block--;
		w->next = p->waits.logs->block;
	}
	if (w->next == 0 || p->error)
		return false;
	record = lane_logs_read(&p->waits, lane, w->block, &n);
	if (!record) {
		p->error = p->waits.error;
		return false;
	}
	if (record[w->next - 1].until <= p->from) {
		w->next = w->block = 0;
		return false;
	}
	place = push_debt(p, w);
	if (!place)
		return false;
	*place = (struct debt){ .wait = record[--w->next] };
	origin = origin_of(p, &place->wait);
	if (origin < ORIGINS)
		place->of[origin] = (float)place->wait.cost;
	return true;
}

/* The time from which all waits of the lane are in the window: `ns`, or later if room is short. */
static int64_t reach_back(struct period *p, uint32_t lane, int64_t ns)
{
	struct window *w = &p->lane[lane];

	while (w->head == w->n || w->debt[w->n - 1].wait.until > ns) {
		if (p->in_windows >= WINDOWS_MAX && w->n > w->head) {
			p->result.cut++;
			return w->debt[w->n - 1].wait.until;
		}
		if (!take_older(p, lane))
			break;
	}
	return ns;
}

/* Prepares the window before the period's last wait of the lane. */
static int begin_lane(struct period *p, uint32_t lane)
{
	const struct lane_logs *s = p->waits.logs;
	struct window *w = &p->lane[lane];
	const struct history_wait *record;
	uint32_t n;

	if (lane_logs_blocks(s, lane) == 0)
		return 0;
	w->block = p->to == INT64_MAX ? lane_logs_blocks(s, lane) - 1 :
					lane_logs_find(&p->waits, lane, p->to + 1);
	record = lane_logs_read(&p->waits, lane, w->block, &n);
	if (!record)
		return p->waits.error;
	while (n && record[n - 1].until > p->to)
		n--;
	w->next = n;
	return take_older(p, lane) ? heap_push(&p->by_end, -w->debt[0].wait.until, w) : p->error;
}

static int64_t overlap(const struct history_wait *w, int64_t from, int64_t to)
{
	int64_t a = w->from > from ? w->from : from, z = w->until < to ? w->until : to;

	return z > a ? z - a : 0;
}

/*
 * Adds up the lane's activities in [*from, to]. Returns its time of waiting, which is in no
 * activity. If the history is too long, *from becomes later.
 */
static int64_t profile(
	struct period *p, struct activities *a, uint32_t lane, int64_t *from, int64_t to)
{
	uint32_t rank = index_of(p, lane), pieces = 0;
	const struct window *w = &p->lane[lane];
	int64_t waited = 0;
	struct history_piece piece;
	struct history_walk walk;

	activities_clear(a);
	*from = reach_back(p, lane, *from);
	history_walk_begin(&p->view, &walk, lane, *from, to);
	while (history_walk_next(&walk, &piece)) {
		activities_add(a, p->sites, rank, &piece, piece.to - piece.from);
		if (++pieces == PIECES_MAX) {
			p->result.cut++;
			*from = walk.at;
			break;
		}
	}
	for (uint32_t i = w->head; i < w->n && w->debt[i].wait.until > *from; i++) {
		int64_t ns = overlap(&w->debt[i].wait, *from, to);

		piece = (struct history_piece){ .callsite = w->debt[i].wait.callsite };
		activities_add(a, p->sites, rank, &piece, -ns);
		waited += ns;
	}
	return waited;
}

/*
 * Charges the activity with `fraction` of the cost. no_cpu and blocked are fractions of this
 * charge: the thread was ready to run without a CPU; it slept or was blocked.
 */
static void give(struct period *p, const struct debt *d, const struct activity *a, double fraction,
	double no_cpu, double blocked)
{
	const struct history_wait *w = &d->wait;
	const struct run_rank *late = history_rank(p->history, w->late);
	const int64_t key[] = { late->rank, rank_thread(late, w->late), a->what, a->callsite,
		a->after };
	double own = (double)(w->until - w->from) / w->cost;
	struct cell *cell = cells_at(p->cells, key);

	if (!cell) {
		p->write_error = cells_code(p->cells);
		return;
	}
	cell->value[BLAME_CELL_DIRECT] += llround(w->cost * fraction * own * UNITS);
	cell->value[BLAME_CELL_PASSED] += llround(w->cost * fraction * (1 - own) * UNITS);
	for (int i = 0; i < ORIGINS; i++)
		if (d->of[i] > 0)
			cell->value[BLAME_CELL_OF1 + i] +=
				llround((double)d->of[i] * fraction * UNITS);
	cell->value[BLAME_CELL_NO_CPU] += llround(w->cost * fraction * no_cpu * UNITS);
	cell->value[BLAME_CELL_BLOCKED] += llround(w->cost * fraction * blocked * UNITS);
}

static int64_t beyond(int64_t late_ns, int64_t waiting_ns)
{
	return late_ns > waiting_ns ? late_ns - waiting_ns : 0;
}

/*
 * Sums over the late rank's activities of one kind [ns]. all: their time. ns, no_cpu, blocked: by
 * how much their time, and its parts without a CPU, exceed those of the waiting rank.
 */
struct excess {
	double ns, all, no_cpu, blocked;
};

static struct excess excess_of(const struct period *p, bool computes)
{
	struct excess sum = { 0 };

	for (uint32_t i = 0; i < p->late.n; i++) {
		const struct activity *a = &p->late.at[p->late.list[i]];
		const struct activity *w = activities_find(&p->waiting, a->key);

		if ((a->what == HISTORY_COMPUTATION) != computes)
			continue;
		sum.ns += (double)beyond(a->ns, w->ns);
		sum.all += a->ns > 0 ? (double)a->ns : 0;
		sum.no_cpu += (double)beyond(a->no_cpu_ns, w->no_cpu_ns);
		sum.blocked += (double)beyond(a->blocked_ns, w->blocked_ns);
	}
	return sum;
}

/*
 * The fraction of one activity's charge (ns of `all`) that the thread spent without a CPU (`lost`
 * of all_lost). These parts of all activities together are at most kind_ns.
 */
static double fraction_of(int64_t lost, double all_lost, double ns, double all, double kind_ns)
{
	const double of_kind = all_lost < kind_ns ? all_lost / kind_ns : 1;
	const double fraction = all_lost > 0 ? of_kind * (double)lost / all_lost * all / ns : 0;

	return fraction < 1 ? fraction : 1;
}

/*
 * Shares cost among the late rank's activities of one kind, by their excess over those of the
 * waiting rank. kind_ns: the sum of the excess.
 */
static void give_kind(
	struct period *p, const struct debt *d, bool computes, double fraction, double kind_ns)
{
	const struct excess sum = excess_of(p, computes);
	const double all = sum.ns > 0 ? sum.ns : sum.all;

	for (uint32_t i = 0; i < p->late.n; i++) {
		const struct activity *a = &p->late.at[p->late.list[i]];
		const struct activity *w = activities_find(&p->waiting, a->key);
		const int64_t ns = sum.ns > 0 ? a->ns - w->ns : a->ns;
		double no_cpu, blocked;

		if ((a->what == HISTORY_COMPUTATION) != computes || ns <= 0)
			continue;
		no_cpu = fraction_of(
			beyond(a->no_cpu_ns, w->no_cpu_ns), sum.no_cpu, (double)ns, all, kind_ns);
		blocked = fraction_of(beyond(a->blocked_ns, w->blocked_ns), sum.blocked, (double)ns,
			all, kind_ns);
		give(p, d, a, fraction * (double)ns / all, no_cpu,
			blocked < 1 - no_cpu ? blocked : 1 - no_cpu);
	}
}

/* Passes cost on to the late rank's own waits from `from` on. */
static void pass_on(
	struct period *p, const struct debt *d, double fraction, int64_t from, int64_t waited)
{
	struct window *late = &p->lane[d->wait.late];

	for (uint32_t i = late->head; i < late->n && late->debt[i].wait.until > from; i++) {
		struct debt *to = &late->debt[i];
		const double passed =
			fraction * (double)overlap(&to->wait, from, d->wait.until) / (double)waited;

		to->wait.cost += d->wait.cost * passed;
		for (int k = 0; k < ORIGINS; k++)
			to->of[k] += d->of[k] * (float)passed;
	}
}

static void blame_wait(struct period *p, const struct debt *d)
{
	const struct history_wait *w = &d->wait;
	int64_t late_from = w->in_step, from = w->in_step;
	int64_t late_waited = profile(p, &p->late, w->late, &late_from, w->until);
	int64_t waited = profile(p, &p->waiting, w->lane, &from, w->from);
	double compute = (double)(p->late.compute_ns - p->waiting.compute_ns);
	double call = (double)(p->late.call_ns - p->waiting.call_ns);
	double wait = (double)(late_waited - waited), all;

	compute = compute > 0 ? compute : 0;
	call = call > 0 ? call : 0;
	wait = wait > 0 ? wait : 0;
	all = compute + call + wait;
	if (all <= 0) {
		const struct activity nothing = { .what = HISTORY_COMPUTATION };

		give(p, d, &nothing, 1, 0, 0);
		return;
	}
	if (compute > 0)
		give_kind(p, d, true, compute / all, compute);
	if (call > 0)
		give_kind(p, d, false, call / all, call);
	if (wait > 0)
		pass_on(p, d, wait / all, late_from, late_waited);
}

static void blame_period(void *context)
{
	struct period *p = context;

	for (uint32_t lane = 0; lane < p->history->nlanes && !p->error; lane++)
		p->error = begin_lane(p, lane);
	while (p->by_end.n && !p->error && !p->write_error) {
		struct window *w = p->by_end.item[0].what;
		const struct debt debt = w->debt[w->head++];
		const struct history_wait *wait = &debt.wait;
		const struct history_piece stood = { .callsite = wait->callsite };

		p->in_windows--;
		p->result.waits_ns += wait->until - wait->from;
		activities_add(&p->stood, p->sites, index_of(p, wait->lane), &stood,
			wait->from - wait->until);
		blame_wait(p, &debt);
		if (w->head < w->n || take_older(p, wait->lane))
			heap_delay(&p->by_end, -w->debt[w->head].wait.until);
		else
			heap_pop(&p->by_end);
		if (!p->error)
			p->error = history_view_error(&p->view) ? history_view_error(&p->view) :
								  p->waits.error;
	}
}

static int open_period(struct period *p)
{
	int rc = history_view(p->history, &p->view);

	if (!rc)
		rc = lane_logs_view(&p->history->waits.logs, &p->waits);
	p->lane = calloc(p->history->nlanes + 1, sizeof(*p->lane));
	if (!rc && p->lane)
		p->write_error = cells_new(p->ranks->db, &blame_layout, &p->cells);
	return p->lane ? rc : -ENOMEM;
}

static void close_period(struct period *p)
{
	for (uint32_t i = 0; p->lane && i < p->history->nlanes; i++)
		free(p->lane[i].debt);
	free(p->lane);
	heap_release(&p->by_end);
	history_view_release(&p->view);
	lane_logs_view_release(&p->waits);
	cells_free(p->cells);
}

/* The periods give the same results in parallel or one after the other. */
static void blame_periods(struct period *period, int n, struct worker *worker)
{
	struct job second = { .run = blame_period, .context = &period[1] };

	if (n > 1)
		worker_give(worker, &second);
	blame_period(&period[0]);
	worker_wait(worker, &second);
}

static int end_period(struct period *p, struct activities *stood, struct blame_result *result)
{
	if (!p->error && !p->write_error)
		p->write_error = cells_flush(p->cells);
	if (p->write_error)
		return db_say(p->ranks->db, p->write_error, "write", p->ranks->say);
	if (p->error)
		say_line(p->ranks->say, "cannot keep what ranks did: %s", strerror(-p->error));
	result->waits_ns += p->result.waits_ns;
	result->cut += p->result.cut;
	activities_join(stood, &p->stood);
	return p->error;
}

static int blame_all(struct history *t, const struct run_ranks *ranks, const struct sites *sites,
	const struct origins *origins, struct worker *worker, struct activities *stood,
	struct blame_result *result)
{
	const int64_t middle = history_waits_middle(&t->waits);
	int n = middle == INT64_MIN ? 1 : PERIODS, rc = 0;
	struct period *period = calloc(PERIODS, sizeof(*period));
	bool failed;

	for (int i = 0; period && i < n; i++) {
		period[i].history = t;
		period[i].ranks = ranks;
		period[i].sites = sites;
		period[i].origins = origins;
		period[i].from = i == 0 ? middle : INT64_MIN;
		period[i].to = i == 0 ? INT64_MAX : middle;
		if (!rc)
			rc = open_period(&period[i]);
	}
	if (period && !rc)
		blame_periods(period, n, worker);
	/*
	 * a failed write rolls back everything, and later writes are refused (match/match.c): so
	 * only the first failure has the reason
	 */
	failed = period && period[1].write_error != 0 && period[1].write_error != -EEXIST;
	for (int i = 0; period && i < n; i++)
		if (!rc)
			rc = end_period(&period[failed ? n - 1 - i : i], stood, result);
	for (int i = 0; period && i < n; i++)
		close_period(&period[i]);
	free(period);
	return period ? rc : -ENOMEM;
}

int blame_run(struct history *t, const struct run_ranks *ranks, struct worker *worker,
	struct blame_result *result)
{
	struct sites sites = { 0 };
	struct origins origins = { 0 };
	struct activities *all = calloc(1, sizeof(*all));
	int rc = all ? 0 : -ENOMEM;

	memset(result, 0, sizeof(*result));
	result->left_out = t->waits.left_out;
	result->left_out_ns = t->waits.left_out_ns;
	if (!rc)
		rc = sites_read(&sites, ranks);
	if (!rc)
		rc = origins_read(&origins, ranks);
	if (!rc)
		rc = blame_all(t, ranks, &sites, &origins, worker, all, result);
	if (!rc)
		rc = path_run(t, ranks, &sites, all, result);
	origins_release(&origins);
	sites_release(&sites);
	free(all);
	return rc;
}
