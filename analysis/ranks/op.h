/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op.h: one send or receive in flight through the analysis, and the calls that complete several.
 *
 * Times are common time [ns].
 */
#ifndef TRYST_RANKS_OP_H
#define TRYST_RANKS_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"
#include "functions.h"
#include "record.h"

/* Parts of an op's excess, by cause [ns]. other takes the rest, signed. */
struct op_parts {
	/* the other side's post came after the call in which this side blocked */
	int64_t late;
	int64_t progress; /* the other side was outside MPI while its progress was needed */
	/* another message was there, and was received later (match/wrong_order.h) */
	int64_t order;
	int64_t flow; /* no room for more messages at the receiver */
	int64_t contention;
	int64_t other;
	/* CPU loss (match/no_cpu.h): the part of all these parts, and of `other` alone */
	int64_t no_cpu, other_no_cpu;
	int64_t blocked_outside; /* of late and progress: the other side slept outside MPI */
};

struct op_group;

struct op {
	struct op *next; /* in its queue, in the list of free ops, or in match/wrong_order.c */
	struct op *partner;
	/* in a list of messages to the same rank without a posted receive */
	struct op *older, *newer;
	struct op_group *group; /* NULL: alone in its completion call */
	struct op *group_next;
	struct run_rank *rank;
	int64_t id;   /* op_key */
	int64_t code; /* schema.sql, op_row */
	int64_t post, post_leave;
	int64_t enter, leave;   /* of the call in which it blocked */
	int64_t blocked;        /* its share of the call; computed again by match/settle.c */
	int64_t live_blocked;   /* its live share */
	int64_t predicted;      /* ROW_NULL: unknown */
	int64_t live_predicted; /* as the shim predicted it */
	int64_t bytes;
	int64_t shift;  /* common time less the rank's, at the post */
	int64_t oldest; /* sends: post of the oldest message that lay unreceived at
			 * the peer when this one was posted; INT64_MAX: none */
	int32_t peer;
	int32_t tag;
	uint32_t lane; /* number of its thread, unique over all ranks */
	uint32_t callsite;
	uint32_t complete_callsite;
	uint16_t call, complete_call; /* FN_* of the post, and of the call in which it blocked */
	uint32_t comm;                /* as its rank numbers it */
	int64_t late_until;           /* receives: end of parts.late */
	int64_t earlier;              /* post of the first message known to be received later */
	uint32_t receives_left;       /* number of receives still to check for such a message */
	uint32_t backlog; /* sends: number of its rank's own messages that lay there, and their
			     bytes */
	int64_t backlog_bytes;
	/* if it was predicted again (match/predict.h): its pace (links/pace.h) in 1/256; else 0 */
	uint16_t pace_q8;
	uint8_t kind; /* enum op_kind */
	uint8_t protocol;
	uint8_t hint; /* enum op_cause, live */
	bool live_wait;
	bool waited; /* exact */
	bool pending;
	bool unsure;   /* another thread posted an op of the same envelope at the same time */
	bool settled;  /* its parts are known */
	bool shared;   /* its call completes other requests, too */
	bool connects; /* its call completes the first message of a pair (match/README) */
	/* its cause, enum op_cause, if it was alone in its call */
	uint8_t kept_by;
	bool earlier_of_sender; /* the message of `earlier` has the same sender */
	bool receives_too;      /* sends: the call also has a receive that explains its time */
	struct op_parts parts;
	int64_t unhidden;
	int64_t hideable; /* part of unhidden, after both sides had posted */
};

struct coll_kept;

/* Ops and collectives that complete in one call of one thread. */
struct op_group {
	struct op_group *next; /* in its bucket, or in the list of free groups */
	struct op *first;
	struct coll_kept *first_coll;
	int64_t enter, leave;
	uint32_t lane;
	/* number of its ops and collectives without partners yet */
	uint32_t unmatched;
	bool closed; /* no further ops will join */
};

/* Bits of op_row.code */
static inline bool op_flag(const struct op *op, unsigned flag)
{
	return op_code_flags(op->code) & flag;
}

static inline unsigned op_mode_of(const struct op *op)
{
	return op_code_mode(op->code);
}

static inline unsigned op_form_of(const struct op *op)
{
	return op_code_form(op->code);
}

/* enum link_tier; TIER_COUNT: unknown. */
static inline unsigned op_tier_of(const struct op *op)
{
	return op_code_tier(op->code);
}

/* KIND_MODE() of the op, for models. */
static inline uint8_t op_kind_mode(const struct op *op)
{
	return (uint8_t)op_code_kind_mode(op->code);
}

/* True if the function FN_* completes several requests. */
static inline bool completes_several(unsigned fn)
{
	return fn == FN_MPI_Waitall || fn == FN_MPI_Waitsome || fn == FN_MPI_Testall ||
		fn == FN_MPI_Testsome;
}

static inline int64_t op_excess(const struct op *op)
{
	return op->predicted == ROW_NULL ? 0 : op->blocked - op->predicted;
}

#endif
