/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h: link parameters measured with messages, a tier at a time.
 *
 *	measure_quick()        collective: measures each tier in use; all ranks get the rows
 *	  pmpi/hosts/link_kinds.c   the ranks that measure for each kind of pair of hosts
 *	  quick.c              the measurements and their order within the budget
 *	    probe.c            S and S_p, to the byte
 *	    pair.c             one step: two ranks enter their calls at the same instant, repeatedly
 *	    step.c             the work of each rank in a step
 *	  self.c               messages to oneself
 *	  check.c              finds a stored set that still holds
 *	cache.c                stores sets
 *
 * Two ranks measure, all others sleep. All messages use the given communicator, which must be the
 * caller's own and return errors. Nothing here prints or exits. The clock (record/clock.h) must be
 * started.
 */
#ifndef TRYST_MEASURE_H
#define TRYST_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmpi/hosts/hosts.h"
#include "pmpi/hosts/link_kinds.h"
#include "pmpi/measure/measure_mpi.h"
#include "record.h"

/* Rows of one link; rows of all links of a rank, and of one more that is being received. */
enum {
	MEASURE_ROWS_MAX = 640,
	MEASURE_SETS_MAX = 4,
	MEASURE_ROWS_ALL = (LINK_COUNT + 1) * MEASURE_ROWS_MAX
};

/* Rows of one tier that an earlier run, or tryst calibrate, stored. */
struct stored_set {
	const struct rec_link *row;
	size_t n;
	double age_s;   /* NAN: unknown */
	const char *by; /* who measured it (links/links.h); "": unknown */
};

struct measure_options {
	double tier_budget_s; /* hard limit for one tier; 0: 0.3 */
	double budget_s;      /* and for all of them; 0: 1.0 */
	/* tiers that need no measuring, as bits; the same on all ranks */
	unsigned known_tiers;
	/*
	 * Returns the number of stored sets of a tier that fit the fingerprint, and puts them into
	 * set[], the last confirmed one first. Called on the rank that measures the tier; other: 0,
	 * or the key of the other side's kind of host. The sets belong to the callee until its next
	 * call. NULL: always measure. Sets are checked before one is used. If the check confirms
	 * none and measuring fails, one of them is used with the source "unconfirmed". Reports must
	 * not derive S or a setting from it.
	 */
	size_t (*stored)(int tier, const char *transport, uint64_t other,
		struct stored_set set[MEASURE_SETS_MAX], void *arg);
	/* Called afterwards if set[i] still holds ... */
	void (*confirmed)(size_t i, void *arg);
	/* ... or if none did: stores the freshly measured rows. */
	void (*store)(const struct rec_link *rows, size_t n, void *arg);
	void *arg;
};

/* One calibration. Zero-initialise, then set comm and (in the shim) mpi. */
struct measure {
	const struct mpi_next *mpi;
	const struct more_steps *more; /* kinds of steps beyond those of pair.h; NULL: none */
	MPI_Comm comm;
	int rank, nranks; /* in comm */
	/* there are several kinds of hosts, each with its own links */
	bool tells_kinds;
	/*
	 * [nranks] number of the link to each rank (include/record.h), which tells its tier;
	 * malloc'ed
	 */
	uint8_t *link_of;
	/* the two ranks in comm that measure the tier first; -1: tier not in use */
	int32_t pair[TIER_COUNT][2];
	struct link_kinds joins;
	int kind;               /* of this rank's host */
	struct host_tree hosts; /* this rank's place among the hosts */
	bool oversubscribed;    /* some host has more ranks than processors */
	/* a rank that waits long for the other one of its pair sleeps; set by measure_quick() */
	bool dozes;
	/* number of pairs before this one that measure inside this host at the same time */
	int slot;
	char transport[64]; /* the transport that the library seems to use; "": unknown */
};

/*
 * Finds the tier of each rank, and the ranks that measure: collective, one MPI_Allgather. Sets
 * rank, nranks, link_of, pair, joins, kind, hosts and oversubscribed. Returns 0, -ENOMEM or -EIO.
 */
int measure_tiers(struct measure *m);

/*
 * Measures all tiers in use: collective over comm, after measure_tiers(). rows[max] gets the rows
 * of all links of this rank, equal on all ranks of one kind of host (head and peer set; source
 * "measured", "cache" or "unconfirmed"); max is at least MEASURE_ROWS_ALL. A stored set has one
 * more row, "age": the seconds since it was measured; its reason names who measured it. An unknown
 * link has rows whose reason says why. Returns 0, -ENOMEM, or -EIO if MPI failed.
 */
int measure_quick(struct measure *m, const struct measure_options *options, struct rec_link *rows,
	size_t max, size_t *n);

/* The `peer` in rows of this rank's link: the lowest rank of the other kind of hosts, or -1. */
int32_t measure_link_peer(const struct measure *m, unsigned link);

/*
 * Sleeps an eighth of the time since `begin`, between 0.2 and 100 ms, and 0.2 ms after `until`,
 * when the measurement should be over; both [ticks]. Ranks that wait for a measurement call it in a
 * loop. A rank that wakes on a measuring rank's processor spoils a sample, so the sleeps grow.
 */
void measure_doze(uint64_t begin, uint64_t until);

/* A broadcast over comm in which no rank spins; the root calls it by `until`. 0 or -EIO. */
int measure_broadcast(struct measure *m, void *buf, size_t bytes, int root, uint64_t until);

void measure_release(struct measure *m);

#endif
