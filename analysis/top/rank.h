/* SPDX-License-Identifier: BSD-3-Clause */
/* rank.h: one rank at one look: what it does, and what it did since the look before. */
#ifndef TRYST_TOP_RANK_H
#define TRYST_TOP_RANK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/format/run/live.h"
#include "analysis/top/names.h"
#include "analysis/top/rank_rows.h"
#include "analysis/top/waits.h"

enum rank_state {
	RANK_WAITING,    /* in a call that waits for others, for PATIENCE_NS at least */
	RANK_IN_MPI,     /* in a call */
	RANK_COMPUTING,  /* outside MPI */
	RANK_NO_CPU,     /* the same, ready to run, but most of the time without a CPU */
	RANK_IDLE,       /* the same, but it wanted no CPU */
	RANK_STARTING,   /* in MPI_Init */
	RANK_STOPPED,    /* it runs, but records nothing */
	RANK_ENDED,      /* MPI_Finalize returned, or its rows are written */
	RANK_EXITED,     /* by exit() without MPI_Finalize */
	RANK_DIED,       /* its process is gone */
	RANK_UNREADABLE, /* no files of this version */
	RANK_STATES
};

#define PATIENCE_NS 10000000       /* a call that is shorter is not said to wait */
#define STAYS_NS 5000000000        /* after this time no message is on its way any more */
#define STAYS_FAR_NS 60000000000LL /* the same, for files that another host writes */

/* What a look needs of the whole run. */
struct looker {
	struct live_buffers *buffers;
	struct names *names;
	uint64_t budget; /* of spools, to be read for definitions [bytes] */
	int64_t at_ns; /* CLOCK_MONOTONIC: the time to which all ages refer; 0: that of each rank's
			  look */
};

/* A wait for a peer, by a cause. */
struct peer_wait {
	int32_t peer;
	uint8_t cause; /* enum op_cause */
	uint64_t ticks;
};

enum { PEER_WAITS = 8 };

struct rank {
	struct live live; /* dir and rank are the caller's */
	struct rank_names names;
	bool has_rows;
	struct rank_rows rows;

	enum rank_state state;
	int64_t for_ns;    /* in this call, or outside MPI; -1: unknown */
	int64_t known_ns;  /* age of what is known, of a rank on another host; else -1 */
	uint32_t call;     /* FN_*, of a thread that is in one; 0 */
	uint32_t callsite; /* of that call, else of the one left last; 0: unknown */
	bool has_message;  /* the four below are of the message, or collective, of the call */
	int32_t peer;      /* -1: none, or any */
	int32_t tag;       /* -1: none, or any */
	uint64_t bytes;
	uint32_t requests; /* pending ones, while it waits for requests */
	uint8_t cause;     /* enum op_cause, of what it waits for now */
	struct waiter wait;

	/* Since the look before; negative: unknown. Of all threads that call MPI. */
	double wait_share, mpi_share, collective_share, cpu_share;
	/* Its first thread was ready to run, but had no CPU: between the last looks that asked. */
	double no_cpu_share;
	double unpredicted_share; /* in messages without a prediction, which may hide waits */
	double calls_per_s, bytes_per_s;
	uint32_t busiest_call, busiest_site; /* with the most time in MPI; 0: none */
	uint32_t place; /* callsite that stands for where most samples fell; 0: none */
	struct peer_wait late[PEER_WAITS]; /* the largest first, each at least 5 % of the time */

	/* Private. */
	int64_t looked_ns, changed_ns; /* CLOCK_MONOTONIC */
	struct live_sums before;
	uint64_t before_open;
	int64_t before_cpu, before_no_cpu, no_cpu_at_ns;
	bool starved; /* it had no CPU when /proc was last asked */
	int32_t *peers;
	uint32_t npeers, peers_room;
};

/* Looks at the rank, after live_see_ends(). 0 or -ENOMEM. */
int rank_look(struct rank *r, struct looker *k);

/*
 * Reads on in the spool until `callsite` is defined, within the budget. True: it is.
 */
bool rank_define_site(struct rank *r, struct looker *k, uint32_t callsite);

/* The name of a call; "" for none. */
const char *rank_call_name(const struct rank *r, uint32_t call);

void rank_release(struct rank *r);

#endif
