/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h: the time that a call takes if no rank is late, and the name of its wait.
 *
 *	rows of link_param -> struct live_params -> struct live_link -> a few ns a question
 *	                     (links/links.h: doubles)     (tables of integers)
 *
 * The shim calls these functions on its hot path, and the offline tools call the same ones, so that
 * both give the same results. Pure arithmetic: no MPI, no I/O, no malloc, and no libm in frequent
 * calls.
 *
 * The predicted time of an op is its time if the peer enters the matching call when this op is
 * posted. It is LogGPS's routine time (Table 4 with t_r = t_s, (4)-(9); (4b) for a send that needs
 * the receiver's progress) plus the calibration's residual, interpolated between its sizes and
 * extrapolated beyond the largest. A buffered send is overhead and a copy. The predicted time of a
 * nonblocking op is the part that remains when its completion call is entered. It is never less
 * than the calibration's rest after any delay: without asynchronous progress the transfer cannot
 * start earlier.
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
 * The kinds of ops with times of their own: op_kind x op_mode x op_form. Ready counts as standard,
 * partitioned as persistent.
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

/* Four bins an octave of (bytes + 4), so that 0 to 7 bytes have one each; the last is open. */
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

/* The time that a strided datatype adds, for packing. */
struct live_strided {
	int32_t base_ns;
	int32_t slope_q20;
};

/*
 * The parameters of one tier, ready for use: no pointers, may be copied and mapped. Made by
 * live_link_from_rows(). All zero is an unknown link: it predicts 0 and names no protocol.
 */
struct live_link {
	uint32_t tier;                          /* enum link_tier */
	uint32_t flags;                         /* enum live_flag */
	struct live_limits limits[LIVE_CURVES]; /* receives: as the standard send's */
	struct live_strided strided[LIVE_CURVES];
	struct live_bin total[LIVE_CURVES][LIVE_BINS]; /* post entry to completion, at once */
	/*
	 * The remaining time of a completion call entered long after the post; blocking: the total.
	 */
	struct live_bin rest[LIVE_CURVES][LIVE_BINS];
	/* The time that one more op adds to a call that completes several of its direction. */
	struct live_bin next[2][LIVE_BINS]; /* [0] sends, [1] receives */
	/*
	 * Share of the shorter direction that a call over both directions does not hide, in 1/256.
	 */
	uint16_t duplex_q8[LIVE_OCTAVES];
	uint32_t noise_ns[LIVE_CURVES][LIVE_OCTAVES]; /* by bit length of bytes */
};

/*
 * The time of a message beyond which other memory traffic slows it down as a whole.
 */
enum { LIVE_LONG_NS = 20000 };

/* In noise_ns: the noise is unknown, and no excess counts as a wait. */
#define LIVE_NOISE_UNKNOWN UINT32_MAX

enum live_flag {
	LIVE_KNOWN_S = 1,    /* thresholds were measured (or given): protocols have names */
	LIVE_KNOWN_TIME = 2, /* times can be predicted */
	/*
	 * learned: receives are only predicted by their floor T3, so that the excess does not
	 * count as a wait
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
 * flags: OP_*, of which OP_STRIDED and OP_PROC_NULL matter (OP_PROC_NULL gives 0); bytes below 2^36
 * (longer ones are predicted as 2^36).
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
 * The input of predictions for ops of one link, kind and length, independent of their calls' times:
 * made once for repeated ops.
 */
struct live_terms {
	int64_t total_ns; /* live_blocking_ns() */
	int64_t rest_ns;  /* the least time of a completion call */
	/* time that the op adds behind another one of its direction; a part may be done before */
	int64_t next_ns;
	int64_t noise_ns; /* live_noise_ns(); INT64_MAX without a prediction */
	/* the noise that a long op adds to a call over several: a part of next_ns */
	int64_t next_noise_ns;
	uint16_t duplex_q8; /* see struct live_link */
	uint8_t direction;  /* enum live_direction */
	bool known;         /* there is a link */
	/* a send that is complete when its post returns, however long the post took */
	bool local;
};

/* Arguments as live_blocking_ns(); link may be NULL: unknown. */
void live_terms_make(const struct live_link *link, uint8_t kind_mode, uint16_t flags,
	uint64_t bytes, struct live_terms *out);

/*
 * The predicted time of a completion call with this op alone, entered since_post_ns (>= 0) after
 * the op's post was entered [ns, >= 0]. With since_post_ns = 0 and a blocking form it is
 * live_blocking_ns().
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
 * Other sends: late receiver above S, late progress above S_p, flow control below. 0 for
 * OP_PROC_NULL. No protocol if S is unknown and the mode does not tell.
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
 * INT64_MAX: unknown.
 */
static inline int64_t live_noise_ns(const struct live_link *link, uint8_t kind_mode, uint64_t bytes)
{
	unsigned octave = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
	uint32_t noise_ns;

	if (octave >= LIVE_OCTAVES)
		octave = LIVE_OCTAVES - 1;
	/* scaled like the times (recalibrate.h) */
	noise_ns =
		__atomic_load_n(&link->noise_ns[live_curve(kind_mode)][octave], __ATOMIC_RELAXED);
	return noise_ns == LIVE_NOISE_UNKNOWN ? INT64_MAX : noise_ns;
}

/* The wait: the whole excess if it is above the noise, else 0. The noise is not subtracted. */
static inline int64_t live_wait_ns(int64_t excess_ns, int64_t noise_ns)
{
	return excess_ns > noise_ns ? excess_ns : 0;
}

/*
 * Noise of the last op of a call over several [ns]. The last op gets the call's whole excess, and
 * slow memory slows all long transfers of the call. others_ns: the sum of the others'
 * next_noise_ns.
 */
static inline int64_t live_last_noise_ns(const struct live_terms *terms, int64_t others_ns)
{
	return terms->noise_ns > INT64_MAX - others_ns ? INT64_MAX : terms->noise_ns + others_ns;
}

/*
 * One of the ops and other requests that complete in one call. live_op() fills it, and live_share()
 * overwrites its input with its results. `user` belongs to the caller and moves along, since
 * live_share() changes the order of the array.
 */
struct live_share {
	union {
		int64_t rest_ns; /* predicted for the op alone in the call */
		/* inside live_share(): predicted end, from the call's entry */
		int64_t end_ns;
		/* shares of the call, which add up to the predicted ... */
		int64_t predicted_ns;
	};
	union {
		int64_t next_ns;    /* time that it adds behind another op of its direction */
		int64_t blocked_ns; /* ... and to the real duration */
	};
	uint32_t user;
	uint16_t duplex_q8; /* see struct live_link */
	uint8_t direction;  /* enum live_direction */
	uint8_t pad;
};

/* A call may complete millions of requests. */
_Static_assert(sizeof(struct live_share) == 24, "as small as a status");

enum live_direction {
	LIVE_APART, /* independent of the others: ends after rest_ns */
	LIVE_OUT,   /* its remaining transfer comes after those of earlier sends */
	LIVE_IN     /* ... of earlier receives */
};

/*
 * Describes an op that completes in a call entered since_post_ns after its post (0 for both ops of
 * MPI_Sendrecv, with blocking forms). An op without a link has no prediction, like other requests
 * (collectives, files). These are predicted to end at once. So they come first, and get the call's
 * excess only if no op comes after them.
 */
static inline void live_op(
	const struct live_terms *terms, int64_t since_post_ns, struct live_share *op)
{
	/*
	 * a long message behind others takes longer than one alone, since memory must also be
	 * written back
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
 * Shares a completion call, entered and left at these times (leave_ns >= enter_ns, any zero), among
 * its n ops. Transfers of one direction that had not started are laid end to end, and ops[] is
 * sorted by predicted end. Each op gets the time from the previous op's predicted end to its own,
 * clipped at the call's return; the last op also gets the excess. So blocked_ns adds up to leave_ns
 * - enter_ns exactly, and predicted_ns to the last predicted end. If both directions have
 * transfers, the shorter one is hidden behind the longer, except for its duplex share. O(n log n),
 * in place.
 */
void live_share(struct live_share *ops, size_t n, int64_t enter_ns, int64_t leave_ns);

/* "send", "ssend", ... as in the column `form` of link_param. */
const char *live_curve_name(unsigned curve);

/* The curve of a form's name; ready forms count as standard. -1: not a form. */
int live_curve_by_name(const char *form);

/* LogGPS's parameters from the rows of one tier. */
struct live_base {
	struct loggps p;
	struct live_limits limits[LIVE_CURVES];
};

/* The same rows, errors and results as live_link_from_rows(). */
int live_base_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_base *out);

/*
 * LogGPS's routine time without residuals; 0 if the parameters do not give it. `residual` rows hold
 * a measured time minus this.
 */
double live_base_ns(const struct live_base *base, unsigned curve, uint64_t bytes);

/*
 * Builds a link from the rows of one tier. Ignores rows with another head.id, a peer, another model
 * than "LogGPS", or an unknown name. Returns 0; -ENOENT if no row of the tier has a value; -EINVAL
 * if values contradict each other (a negative threshold or slope, a time that is no number). After
 * an error *out is an unknown link.
 */
int live_link_from_rows(const struct rec_link *rows, size_t n, int tier, struct live_link *out);

/* The same from the rows with this peer; -1: from rows without a peer. */
int live_link_of_peer(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out);

/*
 * The link of the rows with this peer, or, if they make none, the link of the rows without a peer:
 * a link of another kind of host is better than none.
 */
int live_link_to(
	const struct rec_link *rows, size_t n, int tier, int32_t peer, struct live_link *out);

#endif
