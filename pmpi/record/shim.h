/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shim.h: the state of the run, set in MPI_Init and read in the whole shim.
 */
#ifndef TRYST_RECORD_SHIM_H
#define TRYST_RECORD_SHIM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/model/live/live.h"
#include "pmpi/callsite/lock.h"
#include "record.h"
#include "analysis/format/run/settings.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/*
 * Forced inline. The compiler would emit calls in hundreds of wrappers, and a call costs as much as
 * the body.
 */
#define HOT static inline __attribute__((always_inline))

/* The state kept of each rank of MPI_COMM_WORLD, one byte each. */
enum peer_bit {
	PEER_LINK = 7,     /* number of the link to it: include/record.h */
	PEER_SENT = 8,     /* a message was sent to it before */
	PEER_RECEIVED = 16 /* a message came from there before */
};

_Static_assert(LINK_COUNT <= PEER_LINK + 1, "link numbers fit");

struct shim {
	/*
	 * Wrappers record only while this is set: from the end of MPI_Init to the begin of
	 * MPI_Finalize, not in a child after fork(), not between MPI_Pcontrol(0) and (1).
	 */
	_Atomic bool recording;
	/* The same also between MPI_Pcontrol(0) and (1): objects that outlive a call are tracked.
	 */
	_Atomic bool tracking;
	bool threaded;        /* MPI_THREAD_MULTIPLE: shared tables are locked */
	_Atomic bool started; /* from the end of our start to the end of our finalize */
	int rank;             /* in MPI_COMM_WORLD */
	int nranks;
	int world; /* number of this world */
	uint64_t run_id;
	uint8_t *peer;              /* enum peer_bit of each world rank */
	bool have_link[LINK_COUNT]; /* by shim_link(): a link may be learned at any time */
	struct live_link link[LINK_COUNT];
	int32_t link_peer[LINK_COUNT]; /* the rank that the link's rows name as peer, or -1 */
	struct settings settings;
	char dir[4096];   /* of the records, absolute */
	struct lock lock; /* of all shared tables, taken only where `threaded` */
};

extern struct shim shim;

/* The parameters of a link (TIER_NONE: none), or NULL if unknown. */
HOT const struct live_link *shim_link(unsigned link)
{
	return likely(link < LINK_COUNT &&
		       __atomic_load_n(&shim.have_link[link], __ATOMIC_ACQUIRE)) ?
		&shim.link[link] :
		NULL;
}

/* Locks the tables that threads share; only a test if one thread at a time calls MPI. */
static inline void shim_lock(void)
{
	if (unlikely(shim.threaded))
		lock_take(&shim.lock);
}

static inline void shim_unlock(void)
{
	if (unlikely(shim.threaded))
		lock_give(&shim.lock);
}

/*
 * Prints one line on stderr, as `tryst: ...`. A loss is printed once a job if possible: by rank 0,
 * or by the rank that has it. printf-like.
 */
void shim_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of a text; may be the function of a struct say. */
void shim_say_text(void *context, const char *text);

/*
 * The reason why this process is not recorded, for the report to read. These few bytes fit even if
 * a file does not.
 */
void shim_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints what could not be written, so that this rank is not recorded. The mark of `tryst run`
 * keeps the reason.
 */
void shim_say_not_recorded(const char *path, int error);

/* The same, printed only with TRYST_MESSAGES=verbose. */
void shim_say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
