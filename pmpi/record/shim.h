/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shim.h: what the whole shim knows of the run, set in MPI_Init and read everywhere.
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
/* In hundreds of wrappers the compiler would rather call these; a call costs as much as they do. */
#define HOT static inline __attribute__((always_inline))

/* What is known of another rank of MPI_COMM_WORLD, one byte each. */
enum peer_bit {
	PEER_LINK = 7,     /* number of the link to it: include/record.h */
	PEER_SENT = 8,     /* a message went there before */
	PEER_RECEIVED = 16 /* a message came from there before */
};

_Static_assert(LINK_COUNT <= PEER_LINK + 1, "link numbers fit");

struct shim {
	/*
	 * Wrappers record only while this is set: from the end of MPI_Init to the begin of
	 * MPI_Finalize, not in a child after fork(), not between MPI_Pcontrol(0) and (1).
	 */
	_Atomic bool recording;
	/* The same also between MPI_Pcontrol(0) and (1): what outlives a call is followed. */
	_Atomic bool tracking;
	bool threaded;        /* MPI_THREAD_MULTIPLE: shared tables are locked */
	_Atomic bool started; /* between the end of our start and that of our end */
	int rank;             /* in MPI_COMM_WORLD */
	int nranks;
	int world; /* number of this world */
	uint64_t run_id;
	uint8_t *peer;              /* enum peer_bit of each world rank */
	bool have_link[LINK_COUNT]; /* by shim_link(): a link may be learned at any time */
	struct live_link link[LINK_COUNT];
	int32_t link_peer[LINK_COUNT]; /* whose rows have a rank as peer: it; else -1 */
	struct settings settings;
	char dir[4096];   /* of the records, absolute */
	struct lock lock; /* of all shared tables, taken only where `threaded` */
};

extern struct shim shim;

/* A link (TIER_NONE: none) where its parameters are known; else NULL. */
HOT const struct live_link *shim_link(unsigned link)
{
	return likely(link < LINK_COUNT &&
		       __atomic_load_n(&shim.have_link[link], __ATOMIC_ACQUIRE)) ?
		&shim.link[link] :
		NULL;
}

/* Lock the tables that threads share; costs a test where only one thread calls MPI at a time. */
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
 * Say one line on stderr, as `tryst: ...`. Losses are said once a job where that can be known:
 * by rank 0, or by the rank that has them. printf-like.
 */
void shim_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * What could not be written, so that nothing is recorded on this rank. The mark of `tryst run`
 * keeps the reason.
 */
void shim_say_not_recorded(const char *path, int error);

/* The same, said only with TRYST_MESSAGES=verbose. */
void shim_say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
