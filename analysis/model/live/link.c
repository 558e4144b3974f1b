/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link.c: from rows of link_param to the tables of struct live_link.
 *
 * Rows that count (model LogGPS; NaN values are ignored):
 *
 *	name            form        bytes  value
 *	L, o, ...       -           -      LogGPS's parameters: the table of equations/loggps.c
 *	s, S, S_p       any, or -   -      thresholds, refined by form; an S without a value, but
 *	                                   with a ci_low: no threshold up to there
 *	residual        any         k      measured no-wait time less LogGPS's routine time [ns]
 *	rest            any         k      time of a completion call long after the post [ns]
 *	next            send, recv  k      time that one more op adds to a completion call [ns]
 *	duplex          -           k      fraction of the shorter direction that is not hidden
 *	noise           any         k      99th percentile of residuals [ns]
 *	strided_o       any         -      time that a strided layout adds [ns] ...
 *	strided_O       any         -      ... and adds per byte [ns/B]
 *
 * Values that a form lacks come from the next simpler form: persistent from nonblocking,
 * nonblocking from blocking.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analysis/model/live/live.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"

enum { POINTS = 64 };

/* A function of length, known at some lengths, ascending. */
struct points {
	unsigned n;
	uint64_t bytes[POINTS];
	double value[POINTS];
};

enum borders { BORDER_s, BORDER_S, BORDER_S_p, BORDERS };

/* All rows of a tier, sorted by their meaning. */
struct draft {
	unsigned values; /* rows that counted */
	int S_out_of_sight;
	/* parameters, ordered by (param, bytes) as model/model.h requires */
	size_t nvalue;
	struct model_value value[LOGGPS_PARAMS + POINTS];
	double border[BORDERS][LIVE_CURVES];
	double strided[2][LIVE_CURVES];
	struct points residual[LIVE_CURVES];
	struct points rest[LIVE_CURVES];
	struct points noise[LIVE_CURVES];
	struct points next[2];
	struct points duplex;
};

static const char *const curve_names[LIVE_CURVES] = {
	[LIVE_SEND] = "send",
	[LIVE_SSEND] = "ssend",
	[LIVE_BSEND] = "bsend",
	[LIVE_RECV] = "recv",
	[LIVE_ISEND] = "isend",
	[LIVE_ISSEND] = "issend",
	[LIVE_IBSEND] = "ibsend",
	[LIVE_IRECV] = "irecv",
	[LIVE_SEND_INIT] = "send_init",
	[LIVE_SSEND_INIT] = "ssend_init",
	[LIVE_BSEND_INIT] = "bsend_init",
	[LIVE_RECV_INIT] = "recv_init",
};

const char *live_curve_name(unsigned curve)
{
	return curve < LIVE_CURVES ? curve_names[curve] : "?";
}

int live_curve_by_name(const char *form)
{
	static const struct {
		const char *ready, *standard;
	} same[] = {
		{ "rsend", "send" },
		{ "irsend", "isend" },
		{ "rsend_init", "send_init" },
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (strcmp(form, same[i].ready) == 0)
			form = same[i].standard;
	for (int c = 0; c < LIVE_CURVES; c++)
		if (strcmp(form, curve_names[c]) == 0)
			return c;
	return -1;
}

double live_base_ns(const struct live_base *base, unsigned curve, uint64_t bytes)
{
	const struct live_limits *l = &base->limits[curve];
	struct loggps own = base->p;
	double ns;

	own.s = l->short_end - 1;
	own.S = l->eager_end - 1;
	own.S_p = l->local_end - 1;
	if ((curve & 3) == LIVE_RECV) {
		ns = loggps_recv(&own, bytes, 0, 0);
	} else if ((curve & 3) == LIVE_BSEND) {
		own.S = own.S_p = UINT64_MAX;
		ns = loggps_T1(&own, bytes);
	} else {
		/* no threshold of its own: every length is a rendezvous */
		if ((curve & 3) == LIVE_SSEND)
			own.s = base->limits[curve & ~3u].short_end - 1;
		ns = loggps_send(&own, bytes, (curve & 3) == LIVE_SSEND, 0);
	}
	return isnan(ns) ? 0 : ns;
}

static int points_add(struct points *p, uint64_t bytes, double value)
{
	unsigned i = p->n;

	if (p->n == POINTS || bytes == UINT64_MAX)
		return 0;
	while (i > 0 && p->bytes[i - 1] > bytes)
		i--;
	if (i > 0 && p->bytes[i - 1] == bytes) {
		p->value[i - 1] = value;
		return 1;
	}
	memmove(&p->bytes[i + 1], &p->bytes[i], (p->n - i) * sizeof(*p->bytes));
	memmove(&p->value[i + 1], &p->value[i], (p->n - i) * sizeof(*p->value));
	p->bytes[i] = bytes;
	p->value[i] = value;
	p->n++;
	return 1;
}

static void draft_init(struct draft *d)
{
	memset(d, 0, sizeof(*d));
	for (int c = 0; c < LIVE_CURVES; c++) {
		for (int b = 0; b < BORDERS; b++)
			d->border[b][c] = NAN;
		d->strided[0][c] = d->strided[1][c] = 0;
	}
}

/* Rows that are refined by form; 1 if the name is one of them. */
static int take_by_form(struct draft *d, const char *name, int curve, uint64_t bytes, double value)
{
	static const char *const border[BORDERS] = { "s", "S", "S_p" };

	for (int b = 0; b < BORDERS; b++)
		if (strcmp(name, border[b]) == 0) {
			d->border[b][curve] = value;
			return 1;
		}
	if (strcmp(name, "residual") == 0)
		return points_add(&d->residual[curve], bytes, value);
	if (strcmp(name, "rest") == 0)
		return points_add(&d->rest[curve], bytes, value);
	if (strcmp(name, "noise") == 0)
		return points_add(&d->noise[curve], bytes, value);
	if (strcmp(name, "next") == 0)
		return points_add(&d->next[(curve & 3) == LIVE_RECV], bytes, value);
	if (strcmp(name, "strided_o") == 0 || strcmp(name, "strided_O") == 0) {
		d->strided[name[8] == 'O'][curve] = value;
		return 1;
	}
	return 0;
}

/* Inserts a parameter of LogGPS in its order. */
static int take_param(struct draft *d, int param, uint64_t bytes, double value)
{
	size_t i = d->nvalue;

	while (i > 0 &&
		(d->value[i - 1].param > param ||
			(d->value[i - 1].param == param && d->value[i - 1].bytes > bytes)))
		i--;
	if (i > 0 && d->value[i - 1].param == param && d->value[i - 1].bytes == bytes) {
		d->value[i - 1].value = value;
		return 1;
	}
	if (d->nvalue == sizeof(d->value) / sizeof(*d->value))
		return 0;
	memmove(&d->value[i + 1], &d->value[i], (d->nvalue - i) * sizeof(*d->value));
	d->value[i] = (struct model_value){
		.param = param, .bytes = bytes, .value = value, .ci_low = NAN, .ci_high = NAN
	};
	d->nvalue++;
	return 1;
}

/* A row's text field may fill its room without a NUL. */
static void text_of(char *out, size_t size, const char *field, size_t room)
{
	size_t n = strnlen(field, room);

	if (n >= size)
		n = size - 1;
	memcpy(out, field, n);
	out[n] = '\0';
}

static int take_row(struct draft *d, const struct rec_link *r)
{
	char name[32], form[32], model[32];
	int curve, param;

	text_of(name, sizeof(name), r->name, sizeof(r->name));
	text_of(form, sizeof(form), r->form, sizeof(r->form));
	text_of(model, sizeof(model), r->model, sizeof(r->model));
	if (strcmp(model, "LogGPS") != 0)
		return 0;
	/* no send of up to ci_low waited: the threshold is beyond that, and all lengths count as
	 * eager */
	if (isnan(r->value) && !isnan(r->ci_low) && strcmp(name, "S") == 0)
		d->S_out_of_sight = 1;
	if (isnan(r->value))
		return 0;
	if (!(fabs(r->value) < 1e15))
		return -EINVAL;
	if (form[0]) {
		curve = live_curve_by_name(form);
		d->values += curve >= 0 && take_by_form(d, name, curve, r->bytes, r->value);
		return 0;
	}
	if (strcmp(name, "duplex") == 0) {
		d->values += (unsigned)points_add(&d->duplex, r->bytes, r->value);
		return 0;
	}
	param = model_param_find(&model_loggps, name);
	if (param < 0)
		return 0;
	if (r->value < model_loggps.param[param].low)
		return -EINVAL;
	d->values += (unsigned)take_param(d, param, r->bytes, r->value);
	return 0;
}

/* A curve's threshold: its own, else that of the simpler form, else the general one. */
static double border_of(const struct draft *d, enum borders b, unsigned curve, double general)
{
	for (int c = (int)curve; c >= 0; c -= 4)
		if (!isnan(d->border[b][c]))
			return d->border[b][c];
	return general;
}

/* First length beyond a border. */
static uint64_t end_of(double border)
{
	return isnan(border) || border >= 9e18 ? UINT64_MAX : (uint64_t)border + 1;
}

static int set_limits(
	const struct draft *d, const struct model_params *p, struct live_limits limits[LIVE_CURVES])
{
	const double s = model_get(p, LOGGPS_s), S = model_get(p, LOGGPS_S);
	const double S_p = model_get(p, LOGGPS_S_p);

	for (unsigned c = 0; c < LIVE_CURVES; c++) {
		struct live_limits *l = &limits[c];
		/* a receive does not know the send's mode, so it has the standard send's thresholds
		 */
		unsigned as = (c & 3) == LIVE_RECV || (c & 3) == LIVE_BSEND ? LIVE_SEND : c;

		if (border_of(d, BORDER_S, as, S) < 0 || border_of(d, BORDER_s, as, s) < 0)
			return -EINVAL;
		l->eager_end = end_of(border_of(d, BORDER_S, as, S));
		l->local_end = end_of(border_of(d, BORDER_S_p, as, S_p));
		l->short_end = end_of(border_of(d, BORDER_s, as, s));
		/* s was fitted, S was measured to the byte: so s must not exceed S */
		if (l->short_end > l->eager_end)
			l->short_end = l->eager_end;
		if ((c & 3) == LIVE_SSEND)
			*l = (struct live_limits){ 0 };
		/* S_p = 0 is stored where every size needs progress, also an empty message */
		if (l->local_end == 1)
			l->local_end = 0;
		if (l->local_end > l->eager_end)
			l->local_end = l->eager_end;
		if (l->short_end > l->eager_end)
			l->short_end = l->eager_end;
	}
	return 0;
}

/* The regime of a length: nothing is interpolated across a threshold. */
static int regime_of(const struct live_limits *l, uint64_t bytes)
{
	return (bytes >= l->local_end) + (bytes >= l->eager_end);
}

/*
 * The function at `bytes`, from the points of its regime. It is linear between them and constant
 * before the first. Beyond the last it continues the line of the outermost two, or is constant if
 * another regime follows or these two are less than an octave apart. A regime without points takes
 * the nearest point's value.
 */
static double points_at(const struct points *p, const struct live_limits *l, uint64_t bytes)
{
	int regime = regime_of(l, bytes);
	unsigned low = 0, high, i, from;
	double x = (double)bytes, end = 0;

	if (p->n == 0)
		return 0;
	while (low < p->n && regime_of(l, p->bytes[low]) < regime)
		low++;
	for (high = low; high < p->n && regime_of(l, p->bytes[high]) == regime;)
		high++;
	if (low == high) {
		i = low < p->n ? low : p->n - 1;
		if (low > 0 && low < p->n && bytes - p->bytes[low - 1] < p->bytes[low] - bytes)
			i = low - 1;
		return p->value[i];
	}
	for (i = low; i < high && p->bytes[i] < bytes;)
		i++;
	if (i == low)
		return p->value[low];
	from = i - 1;
	if (i == high) {
		if (high < p->n || high - low < 2)
			return p->value[high - 1];
		/* the slope over two octaves, or one: between close points, noise dominates */
		from = i = high - 1;
		while (from > low && (from == i || p->bytes[from] > p->bytes[i] / 4))
			from--;
		if (p->bytes[from] > p->bytes[i] / 2)
			return p->value[i];
		x -= (double)(p->bytes[i] - p->bytes[from]);
		end = p->value[i] - p->value[from];
	}
	return end + p->value[from] +
		(x - (double)p->bytes[from]) * (p->value[i] - p->value[from]) /
		(double)(p->bytes[i] - p->bytes[from]);
}

static int32_t clip32(double x)
{
	return x >= INT32_MAX ? INT32_MAX : x <= INT32_MIN ? INT32_MIN : (int32_t)lrint(x);
}

/* The content of a table of bins: base (may be NULL) plus points. */
struct source {
	const struct live_base *base;
	const struct points *points;
	/* NULL, or a longer series that gives the slope beyond the last of `points` */
	const struct source *like;
	struct live_limits limits;
	unsigned curve;
};

static uint64_t source_end(const struct source *s)
{
	return s->points->n ? s->points->bytes[s->points->n - 1] : 0;
}

/*
 * Beyond its points it grows like the longer series, or in proportion if it is less: a rest near 0
 * stays near 0.
 */
static double source_at(const struct source *s, uint64_t bytes)
{
	const uint64_t end = source_end(s);

	if (s->like && s->points->n && bytes > end && source_end(s->like) > end) {
		double own = source_at(s, end), like = source_at(s->like, end);
		double fraction = like > 0 && own < like ? fmax(own, 0) / like : 1;

		return own + fraction * (source_at(s->like, bytes) - like);
	}
	return (s->base ? live_base_ns(s->base, s->curve, bytes) : 0) +
		points_at(s->points, &s->limits, bytes);
}

/* A line over [from, to] of the bin that starts at `start`. */
static void bin_line(struct live_bin *b, int line, uint64_t start, uint64_t from, uint64_t to,
	const struct source *s)
{
	double y = source_at(s, from), slope = 0;

	if (to > from)
		slope = (source_at(s, to) - y) / (double)(to - from);
	b->base_ns[line] = clip32(y - slope * (double)(from - start));
	b->slope_q20[line] = clip32(slope * (1 << 20));
}

/* The highest threshold in (low, high]. UINT64_MAX: none. */
static uint64_t limit_in(const struct live_limits *l, uint64_t low, uint64_t high)
{
	const uint64_t limit[] = { l->eager_end, l->local_end, l->short_end };

	for (int i = 0; i < 3; i++)
		if (limit[i] > low && limit[i] <= high)
			return limit[i];
	return UINT64_MAX;
}

static void fill_bins(struct live_bin *bins, const struct source *s)
{
	for (unsigned i = 0; i < LIVE_BINS; i++) {
		struct live_bin *b = &bins[i];
		uint64_t start = live_bin_start(i), next = live_bin_start(i + 1);
		uint64_t first = limit_in(&s->limits, start, next - 1);
		/*
		 * up to the next bin's start, so that neighbours meet, unless a threshold lies
		 * between
		 */
		uint64_t to = limit_in(&s->limits, next - 1, next) == next ? next - 1 : next;

		b->split = UINT64_MAX;
		if (first != UINT64_MAX) {
			b->split = first - 1;
			bin_line(b, 0, start, start, b->split, s);
			bin_line(b, 1, start, first, to > first ? to : first, s);
			continue;
		}
		bin_line(b, 0, start, start, to, s);
		b->base_ns[1] = b->base_ns[0];
		b->slope_q20[1] = b->slope_q20[0];
	}
}

static const struct points *points_of(const struct points *of, unsigned curve)
{
	unsigned c = curve;

	while (of[c].n == 0 && c >= 4)
		c -= 4;
	return &of[c];
}

/*
 * Blocking standard messages are measured at more lengths than other forms. Beyond the lengths of
 * another form, its times grow like those of blocking messages.
 */
static void set_times(const struct draft *d, const struct live_base *base, struct live_link *out)
{
	const struct source plain[2] = { { base, &d->residual[LIVE_SEND], NULL,
						 out->limits[LIVE_SEND], LIVE_SEND },
		{ base, &d->residual[LIVE_RECV], NULL, out->limits[LIVE_RECV], LIVE_RECV } };

	for (unsigned c = 0; c < LIVE_CURVES; c++) {
		const struct source *like = &plain[(c & 3) == LIVE_RECV];
		const struct source total = { base, points_of(d->residual, c), like, out->limits[c],
			c };
		const struct points *rest = points_of(d->rest, c), *simpler = rest;
		struct source s, t;

		fill_bins(out->total[c], &total);
		/* synchronous or buffered sends were not measured: taken as standard ones */
		if (rest->n == 0 && (c & 3) != LIVE_RECV)
			rest = points_of(d->rest, c & ~3u);
		/* few lengths of a persistent form are measured */
		if (c >= 4)
			simpler = points_of(d->rest, c - 4);
		s = (struct source){ NULL, rest, like, out->limits[c & 3 ? c : c & ~3u], c };
		t = (struct source){ NULL, simpler, like, s.limits, c };
		if (simpler->n && simpler != rest)
			s.like = &t;
		if (rest->n > 0)
			fill_bins(out->rest[c], &s);
		out->strided[c].base_ns = clip32(d->strided[0][c]);
		out->strided[c].slope_q20 = clip32(d->strided[1][c] * (1 << 20));
	}
	for (unsigned i = 0; i < 2; i++) {
		const struct source s = { NULL, &d->next[i], &plain[i], plain[i].limits,
			plain[i].curve };

		/* unknown: transfers queue as a whole */
		fill_bins(out->next[i], d->next[i].n ? &s : &plain[i]);
	}
}

static void set_by_octave(const struct draft *d, struct live_link *out)
{
	static const struct live_limits none = { UINT64_MAX, UINT64_MAX, UINT64_MAX };

	for (unsigned o = 0; o < LIVE_OCTAVES; o++) {
		uint64_t bytes = o ? 1ULL << (o - 1) : 0;
		double fraction = points_at(&d->duplex, &none, bytes);

		fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
		out->duplex_q8[o] = (uint16_t)lrint(fraction * 256);
		for (unsigned c = 0; c < LIVE_CURVES; c++) {
			const struct points *p = points_of(d->noise, c);
			double ns = 200 + 0.05 * (double)live_bin_ns(out->total[c], bytes);

			if (p->n == 0 && c % 4 != LIVE_RECV && d->noise[c & ~3u].n)
				p = &d->noise[c & ~3u];
			if (p->n)
				ns = points_at(p, &none, bytes);
			/* beyond all points it grows as the messages do */
			if (p->n && bytes > p->bytes[p->n - 1])
				ns = p->value[p->n - 1] * (double)bytes /
					(double)p->bytes[p->n - 1];
			out->noise_ns[c][o] = ns > 0 ? (uint32_t)clip32(ns) : 0;
			if (out->flags & LIVE_FLOOR_ONLY && c % 4 == LIVE_RECV)
				out->noise_ns[c][o] = LIVE_NOISE_UNKNOWN;
		}
	}
}

/* Sorts rows into parameters, thresholds and series (d). */
static int draft_rows(const struct rec_link *rows, size_t n, int tier, int32_t peer,
	struct draft *d, struct live_base *base)
{
	struct model_params p = { &model_loggps, 0, 0, d->value };
	int rc = 0;

	draft_init(d);
	for (size_t i = 0; i < n && rc == 0; i++)
		/*
		 * rows of one layout only give the time that a strided one adds; all else is
		 * contiguous
		 */
		if (rows[i].head.id == (uint32_t)tier && rows[i].peer == peer &&
			(!rows[i].layout[0] || strncmp(rows[i].name, "strided_", 8) == 0))
			rc = take_row(d, &rows[i]);
	if (rc == 0 && d->values == 0)
		rc = -ENOENT;
	p.nvalues = p.room = d->nvalue;
	if (rc == 0)
		rc = set_limits(d, &p, base->limits);
	if (rc == 0)
		loggps_of(&p, &base->p);
	return rc;
}

int live_base_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_base *out)
{
	struct draft d;

	memset(out, 0, sizeof(*out));
	return draft_rows(rows, n, tier, -1, &d, out);
}

int live_link_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_link *out)
{
	return live_link_of_peer(rows, n, tier, -1, out);
}

int live_link_of_peer(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out)
{
	struct draft d;
	struct live_base base;
	int rc;

	memset(out, 0, sizeof(*out));
	memset(&base, 0, sizeof(base));
	out->tier = (uint32_t)tier;
	rc = draft_rows(rows, n, tier, peer, &d, &base);
	if (rc != 0)
		return rc;
	memcpy(out->limits, base.limits, sizeof(out->limits));
	if (base.limits[LIVE_SEND].eager_end != UINT64_MAX || d.S_out_of_sight)
		out->flags |= LIVE_KNOWN_S;
	if (!isnan(base.p.o) || d.residual[LIVE_SEND].n || d.residual[LIVE_RECV].n)
		out->flags |= LIVE_KNOWN_TIME;
	if (isnan(base.p.one_way))
		out->flags |= LIVE_FLOOR_ONLY;
	set_times(&d, &base, out);
	set_by_octave(&d, out);
	return 0;
}

int live_link_to(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out)
{
	if (peer >= 0 && live_link_of_peer(rows, n, tier, peer, out) == 0)
		return 0;
	return live_link_from_rows(rows, n, tier, out);
}
