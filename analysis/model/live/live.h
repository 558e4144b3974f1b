/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h: what every call would have taken had nobody been late, and what its wait is called.
 *
 *	rows of link_param -> struct live_params -> struct live_link -> a few ns a question
 *	                     (links/links.h: doubles)     (tables of integers)
 *
 * The shim asks these functions in its hot path and the offline tools ask the same ones, so that
 * both tell the same. Pure arithmetic: no MPI, no I/O, no malloc, no libm where calls are frequent.
 *
 * Predicted time is the time an op takes if its peer entered the matching call
 * when this op was posted. It is LogGPS's routine time (Table 4 with t_r = t_s, (4)-(9); (4b) where
 * a send needs the receiver's progress) plus the residual that the calibration saw at its sizes,
 * interpolated; sizes beyond the largest measured one are extrapolated. Buffered sends are overhead
 * and a copy. A nonblocking op's predicted time is what is left of it when its completion call is
 * entered, and never less than what the calibration saw left after any delay: that floor is the
 * transfer that could not start where the tier shows no asynchronous progress.
 *
 * Times are integer nanoseconds, lengths bytes.
 */
#ifndef TRYST_MODEL_LIVE_LIVE_H
#define TRYST_MODEL_LIVE_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model/equations/loggps.h"
#include "record.h"

/*
 * Whose time: op_kind x op_mode x op_form, where ready is as standard and partitioned persistent.
 */
enum live_curve {
	LIVE_SEND,
	LIVE_SSEND,
	LIVE_BSEND,
	LIVE_RECV,
	LIVE_ISEND,
	LIVE_ISSEND,
	LIVE_IBSEND,
	LIVE_IRECV,
	LIVE_SEND_INIT,
	LIVE_SSEND_INIT,
	LIVE_BSEND_INIT,
	LIVE_RECV_INIT,
	LIVE_CURVES
};

/* Four bins an octave of (bytes + 4), so that 0 to 7 bytes have their own; the last has no end. */
enum { LIVE_LOG2_LIMIT = 24, LIVE_BINS = (LIVE_LOG2_LIMIT - 1) * 4, LIVE_OCTAVES = 32 };

/*
 * A time over one bin: ns = base + slope (bytes - start of the bin), of line 1 for bytes > split,
 * else of line 0. Both lines agree where no threshold falls into the bin.
 */
struct live_bin {
	int32_t base_ns[2];
	int32_t slope_q20[2]; /* ns/B * 2^20 */
	uint64_t split;
};

/* Thresholds of one curve, as the first length beyond each. */
struct live_limits {
	uint64_t short_end; /* s + 1 */
	uint64_t local_end; /* S_p + 1: from here on a send needs the receiver's progress */
	uint64_t eager_end; /* S + 1: from here on a send needs the matching receive */
};

/* What a strided datatype adds: packing. */
struct live_strided {
	int32_t base_ns;
	int32_t slope_q20;
};

/*
 * The parameters of one tier, ready for use: no pointers, may be copied and mapped. Made by
 * live_link_from_rows(); all zero is a link of which nothing is known (it predicts 0 and names no
 * protocol).
 */
struct live_link {
	uint32_t tier;                          /* enum link_tier */
	uint32_t flags;                         /* enum live_flag */
	struct live_limits limits[LIVE_CURVES]; /* receives: as the standard send's */
	struct live_strided strided[LIVE_CURVES];
	struct live_bin total[LIVE_CURVES][LIVE_BINS]; /* post entry to completion, at once */
	/*
	 * What the completion call still takes, entered long after the post; blocking: the total.
	 */
	struct live_bin rest[LIVE_CURVES][LIVE_BINS];
	/* What one op more adds to a call that completes several of its direction. */
	struct live_bin next[2][LIVE_BINS]; /* [0] sends, [1] receives */
	/*
	 * Share of the shorter direction that a call over both directions does not hide, in 1/256.
	 */
	uint16_t duplex_q8[LIVE_OCTAVES];
	uint32_t noise_ns[LIVE_CURVES][LIVE_OCTAVES]; /* by bit length of bytes, or: */
};

/*
 * A message that takes so long is made slower or faster by what else goes on in memory, as a whole.
 */
enum { LIVE_LONG_NS = 20000 };

/* Not known: no excess is a wait. */
#define LIVE_NOISE_UNKNOWN UINT32_MAX

enum live_flag {
	LIVE_KNOWN_S = 1,    /* thresholds were measured (or given): protocols have names */
	LIVE_KNOWN_TIME = 2, /* times can be predicted */
	/*
	 * learned: receives are predicted by their floor T3 alone, which is no reason to call the
	 * rest a wait
	 */
	LIVE_FLOOR_ONLY = 4
};

/* The curve of KIND_MODE(kind, mode, form). */
static inline unsigned live_curve(uint8_t kind_mode)
{
	/* two bits each: mode -> 0 standard, 2 buffered, 1 synchronous, 0 ready; form -> 0 1 2 2 */
	const unsigned mode = 0x18u >> 2 * kind_mode_mode(kind_mode) & 3;
	const unsigned form = 0xa4u >> 2 * kind_mode_form(kind_mode) & 3;

	return form * 4 + (kind_mode_kind(kind_mode) == KIND_RECV ? 3 : mode);
}

static inline unsigned live_bin_of(uint64_t bytes)
{
	uint64_t x = bytes < 2ULL << LIVE_LOG2_LIMIT ? bytes + 4 : 2ULL << LIVE_LOG2_LIMIT;
	unsigned log2 = 63 - (unsigned)__builtin_clzll(x);
	unsigned bin = (log2 - 2) * 4 + (x >> (log2 - 2) & 3);

	return bin < LIVE_BINS ? bin : LIVE_BINS - 1;
}

static inline uint64_t live_bin_start(unsigned bin)
{
	return ((uint64_t)(4 + (bin & 3)) << (bin >> 2)) - 4;
}

static inline int64_t live_bin_ns(const struct live_bin *bins, uint64_t bytes)
{
	unsigned i = live_bin_of(bytes);
	const struct live_bin *b = &bins[i];
	unsigned line = bytes > b->split;

	/* another thread may be scaling them (recalibrate.h) */
	return __atomic_load_n(&b->base_ns[line], __ATOMIC_RELAXED) +
		((int64_t)(bytes - live_bin_start(i)) *
				__atomic_load_n(&b->slope_q20[line], __ATOMIC_RELAXED) >>
			20);
}

/*
 * Predicted time of an op that completes in its post call [ns, >= 0]. kind_mode: KIND_MODE();
 * flags: OP_*, of which OP_STRIDED and OP_PROC_NULL matter (to nobody: 0); bytes below 2^36 (longer
 * ones are predicted as 2^36).
 */
static inline int64_t live_blocking_ns(
	const struct live_link *link, uint8_t kind_mode, uint16_t flags, uint64_t bytes)
{
	unsigned curve = live_curve(kind_mode);
	int64_t ns;

	if (__builtin_expect(bytes >> 36 != 0, 0))
		bytes = 1ULL << 36;
	ns = live_bin_ns(link->total[curve], bytes);
	if (__builtin_expect(flags & (OP_STRIDED | OP_PROC_NULL), 0)) {
		const struct live_strided *s = &link->strided[curve];

		if (flags & OP_PROC_NULL)
			return 0;
		ns += s->base_ns + ((int64_t)bytes * s->slope_q20 >> 20);
	}
	return ns > 0 ? ns : 0;
}

/*
 * What predictions of ops of one link, kind and length rest on, whatever their calls' times: made
 * once for ops that come again.
 */
struct live_terms {
	int64_t total_ns; /* live_blocking_ns() */
	int64_t rest_ns;  /* what a completion call takes at least */
	/* what the op adds behind another one of its direction, of which it may have done some */
	int64_t next_ns;
	int64_t noise_ns; /* live_noise_ns(); INT64_MAX where nothing is predicted */
	/* what a long op adds to the noise of a call over several: its part of next_ns */
	int64_t next_noise_ns;
	uint16_t duplex_q8; /* see struct live_link */
	uint8_t direction;  /* enum live_direction */
	bool known;         /* there is a link */
	/* a send that is complete when its post has returned, however long that took */
	bool local;
};

/* link NULL: nothing is known. Else as live_blocking_ns(). */
void live_terms_make(const struct live_link *link, uint8_t kind_mode, uint16_t flags,
	uint64_t bytes, struct live_terms *out);

/*
 * Predicted share of a completion call that is entered since_post_ns (>= 0) after the op's post
 * was entered, were the op alone in that call [ns, >= 0]. With since_post_ns = 0 and a blocking
 * form it is live_blocking_ns().
 */
static inline int64_t live_terms_rest_ns(const struct live_terms *terms, int64_t since_post_ns)
{
	int64_t left = terms->total_ns - since_post_ns;

	if (left < terms->rest_ns || (terms->local && since_post_ns > 0))
		left = terms->rest_ns;
	return left;
}

static inline int64_t live_rest_ns(const struct live_link *link, uint8_t kind_mode, uint16_t flags,
	uint64_t bytes, int64_t since_post_ns)
{
	struct live_terms terms;

	live_terms_make(link, kind_mode, flags, bytes, &terms);
	return live_terms_rest_ns(&terms, since_post_ns);
}

/*
 * Protocol and cause hint by OP_CLASS(). Receives: by length, late sender.
 * Synchronous sends: rendezvous, late receiver. Buffered sends: no cause, they never wait.
 * Others: late receiver above S, late progress above S_p, flow control below. 0 for
 * OP_PROC_NULL; protocol none where S is not known and the mode does not tell.
 */
static inline uint8_t live_class(
	const struct live_link *link, uint8_t kind_mode, uint16_t flags, uint64_t bytes)
{
	unsigned curve = live_curve(kind_mode);
	const struct live_limits *l = &link->limits[curve];
	unsigned protocol = bytes < l->short_end ? PROTOCOL_SHORT :
		bytes < l->eager_end             ? PROTOCOL_EAGER :
						   PROTOCOL_RENDEZVOUS;
	unsigned cause = bytes >= l->eager_end ? CAUSE_LATE_RECEIVER :
		bytes >= l->local_end          ? CAUSE_LATE_PROGRESS :
						 CAUSE_FLOW_CONTROL;

	if (kind_mode_kind(kind_mode) == KIND_RECV)
		cause = CAUSE_LATE_SENDER;
	else if ((curve & 3) == LIVE_BSEND)
		cause = CAUSE_NONE;
	if (__builtin_expect(flags & OP_PROC_NULL || !(link->flags & LIVE_KNOWN_S), 0)) {
		if (flags & OP_PROC_NULL)
			return OP_CLASS(PROTOCOL_NONE, CAUSE_NONE);
		if (kind_mode_kind(kind_mode) == KIND_SEND && (curve & 3) != LIVE_SSEND) {
			protocol = PROTOCOL_NONE;
			cause = CAUSE_NONE;
		} else if (kind_mode_kind(kind_mode) == KIND_RECV) {
			protocol = PROTOCOL_NONE;
		}
	}
	return (uint8_t)OP_CLASS(protocol, cause);
}

/*
 * Noise of an op alone in its call: 99th percentile of the calibration's residuals [ns, >= 0].
 * INT64_MAX: not known.
 */
static inline int64_t live_noise_ns(const struct live_link *link, uint8_t kind_mode, uint64_t bytes)
{
	unsigned octave = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
	uint32_t noise_ns;

	if (octave >= LIVE_OCTAVES)
		octave = LIVE_OCTAVES - 1;
	/* as the times (recalibrate.h) */
	noise_ns =
		__atomic_load_n(&link->noise_ns[live_curve(kind_mode)][octave], __ATOMIC_RELAXED);
	return noise_ns == LIVE_NOISE_UNKNOWN ? INT64_MAX : noise_ns;
}

/* Wait: the excess where it is above the noise, else 0; never excess less noise. */
static inline int64_t live_wait_ns(int64_t excess_ns, int64_t noise_ns)
{
	return excess_ns > noise_ns ? excess_ns : 0;
}

/*
 * Noise of the last op of a call over several [ns]: it gets what the call took beyond all
 * predictions, and what slows one long transfer down slows all. others_ns: the sum of the others'
 * next_noise_ns.
 */
static inline int64_t live_last_noise_ns(const struct live_terms *terms, int64_t others_ns)
{
	return terms->noise_ns > INT64_MAX - others_ns ? INT64_MAX : terms->noise_ns + others_ns;
}

/*
 * One of the ops and other requests that complete in one call. live_op() fills it, and live_share()
 * puts its results in the place of what it has used up. `user` is the caller's and is carried
 * along: live_share() changes the order of the array.
 */
struct live_share {
	union {
		int64_t rest_ns; /* predicted for the op alone in the call */
		/* inside live_share(): predicted end, from the call's entry */
		int64_t end_ns;
		/* shares of the call: both sums are the predicted and ... */
		int64_t predicted_ns;
	};
	union {
		int64_t next_ns;    /* what it adds behind another op of its direction */
		int64_t blocked_ns; /* ... the real duration */
	};
	uint32_t user;
	uint16_t duplex_q8; /* see struct live_link */
	uint8_t direction;  /* enum live_direction */
	uint8_t pad;
};

/* Calls complete millions of requests. */
_Static_assert(sizeof(struct live_share) == 24, "as small as a status");

enum live_direction {
	LIVE_APART, /* queues behind nothing: ends after rest_ns whatever the others do */
	LIVE_OUT,   /* what is left of it moves behind what other sends have left */
	LIVE_IN     /* ... other receives */
};

/*
 * Describe an op that completes in a call entered since_post_ns after its post (0 for both ops of
 * MPI_Sendrecv, with blocking forms). Of no link: no prediction, as for other requests
 * (collectives, files): predicted to end at once, so that they come first, and take what the call
 * has left only where no op is behind them.
 */
static inline void live_op(
	const struct live_terms *terms, int64_t since_post_ns, struct live_share *op)
{
	/*
	 * of long messages one behind others takes longer than one alone: memory has to be written
	 * back, too
	 */
	int64_t left_ns = terms->next_ns - since_post_ns;

	op->rest_ns = live_terms_rest_ns(terms, since_post_ns);
	op->next_ns = terms->next_ns < op->rest_ns ? terms->next_ns :
		left_ns > op->rest_ns              ? left_ns :
						     op->rest_ns;
	op->duplex_q8 = terms->duplex_q8;
	op->direction = terms->direction;
	op->pad = 0;
}

/*
 * Share one completion call, entered and left at these times (leave_ns >= enter_ns, any zero), over
 * its n ops: ordered by predicted end, transfers of one direction that had not started laid end to
 * end; each op gets the time from the end before to its own, clipped at the call's return; the last
 * also gets the rest. So blocked_ns adds up to leave_ns - enter_ns exactly, and predicted_ns to the
 * last predicted end. Where both directions have work, the shorter one is hidden behind the longer
 * but for its duplex share. Reorders ops[]: by predicted end. O(n log n), in place.
 */
void live_share(struct live_share *ops, size_t n, int64_t enter_ns, int64_t leave_ns);

/* "send", "ssend", ... as in the column `form` of link_param. */
const char *live_curve_name(unsigned curve);

/* The curve of a form's name; ready forms count as standard. -1: not a form. */
int live_curve_by_name(const char *form);

/* LogGPS's part of the rows of one tier. */
struct live_base {
	struct loggps p;
	struct live_limits limits[LIVE_CURVES];
};

/* The same rows, errors and results as live_link_from_rows(). */
int live_base_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_base *out);

/*
 * LogGPS's routine time alone, which residuals add to: 0 where the parameters do not give it. What
 * `residual` rows hold is a measured time less this.
 */
double live_base_ns(const struct live_base *base, unsigned curve, uint64_t bytes);

/*
 * Build a link from the rows of one tier: rows with another head.id, a peer or a model other than
 * "LogGPS" are passed over, unknown names too. Returns 0; -ENOENT where no row of that tier carries
 * a value (*out is then the link of which nothing is known); -EINVAL where values contradict each
 * other (a negative threshold or slope, a time that is no number): *out as with -ENOENT.
 */
int live_link_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_link *out);

/* The same from the rows that have this peer; -1: those that have none. */
int live_link_of_peer(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out);

/*
 * Where those that have this peer make no link, the one of those that have none: rather another
 * kind's than nothing.
 */
int live_link_to(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out);

#endif
