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

/* Parts of an op's excess: what kept it [ns]. other takes the rest, signed. */
struct op_parts {
	/* the other side's post came after the call in which this side blocked */
	int64_t late;
	int64_t progress; /* the other side was outside MPI while its progress was needed */
	/* another message was there, and was received later (match/wrong_order.h) */
	int64_t order;
	int64_t flow; /* no room for more messages at the receiver */
	int64_t contention;
	int64_t other;
};

struct op_group;

struct op {
	struct op *next; /* in its queue, of free ones, or in match/wrong_order.c */
	struct op *partner;
	/* messages to the same rank that nobody has asked for yet */
	struct op *older, *newer;
	struct op_group *group; /* NULL: alone in its completion call */
	struct op *group_next;
	struct run_rank *rank;
	int64_t id;   /* op_key */
	int64_t code; /* schema.sql, op_row */
	int64_t post, post_leave;
	int64_t enter, leave; /* of the call in which it blocked */
	int64_t blocked;      /* shared anew once it is settled */
	int64_t live_blocked; /* as it was shared live */
	int64_t predicted;    /* ROW_NULL: not known */
	int64_t bytes;
	int64_t shift;  /* common time less the rank's, at the post */
	int64_t oldest; /* sends: post of the oldest message that lay unreceived at
			 * the peer when this one was posted; INT64_MAX: none */
	int32_t peer;
	int32_t tag;
	uint32_t lane; /* tells a rank's threads apart */
	uint32_t callsite;
	uint32_t complete_callsite;
	uint16_t call, complete_call; /* FN_* of the post, and of the call in which it blocked */
	uint32_t comm;                /* as its rank numbers it */
	int64_t late_until;           /* receives: end of parts.late */
	int64_t earlier;              /* post of the first message known to be received later */
	uint32_t receives_left;       /* to be looked at for such */
	uint32_t backlog;             /* sends: how many of its own lay there, and their bytes */
	int64_t backlog_bytes;
	uint8_t kind; /* enum op_kind */
	uint8_t protocol;
	uint8_t hint; /* enum op_cause, live */
	bool live_wait;
	bool waited; /* exact */
	bool pending;
	bool unsure;  /* another thread posted the like at the same time */
	bool settled; /* parts are known */
	bool shared;  /* its call completes other requests, too */
	/* its cause, enum op_cause, were the others of its call not there */
	uint8_t kept_by;
	bool earlier_of_sender; /* the message of `earlier` is of the same rank */
	bool receives_too;      /* sends: among them one that kept the call as long */
	struct op_parts parts;
	int64_t unhidden;
	int64_t hideable; /* of unhidden, since both sides had posted */
};

struct coll_kept;

/* Ops and collectives that complete in one call of one thread. */
struct op_group {
	struct op_group *next; /* in its bucket, or of free ones */
	struct op *first;
	struct coll_kept *first_coll;
	int64_t enter, leave;
	uint32_t lane;
	/* of its ops and collectives, how many have no partners yet */
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

/* enum link_tier, or TIER_COUNT: none is known. */
static inline unsigned op_tier_of(const struct op *op)
{
	return op_code_tier(op->code);
}

/* KIND_MODE() of the op, as models want it. */
static inline uint8_t op_kind_mode(const struct op *op)
{
	return (uint8_t)op_code_kind_mode(op->code);
}

/* Does the function FN_* complete several requests? */
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
