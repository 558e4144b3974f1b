/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h: link parameters measured with messages, a tier at a time.
 *
 *	measure_quick()        collective: which tiers are there, who measures, everyone gets rows
 *	  pmpi/hosts/link_kinds.c   the ranks that measure for each kind of pair of hosts
 *	  quick.c              what is measured in which order within the budget
 *	    probe.c            S and S_p, to the byte
 *	    pair.c             one step: two ranks enter their calls at the same instant, repeatedly
 *	    step.c             what each of the two does in a step
 *	  self.c               messages to oneself
 *	  check.c              which stored set still holds?
 *	cache.c                where sets are stored
 *
 * Two ranks measure, all others sleep. All messages use the communicator that is given, which must
 * be the caller's own and return errors. Nothing here prints or exits. Clock: record/clock.h,
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

/* Of one link; and room for all of a rank and those of one more that are on their way. */
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
	/* bits of those that need no measuring; the same on all ranks */
	unsigned known_tiers;
	/*
	 * The sets that earlier runs stored of a tier and that fit the fingerprint, the one last
	 * confirmed first; their number. Asked on the rank that measures the tier; other: 0, or the
	 * key of the other side's kind of host. They stay the callee's, until it is asked again.
	 * NULL: measure always. Sets are checked before one of them is used. If the check confirms
	 * none and measuring fails, one of them is used with the source "unconfirmed". Reports must
	 * not derive S or a setting from it.
	 */
	size_t (*stored)(int tier, const char *transport, uint64_t other,
		struct stored_set set[MEASURE_SETS_MAX], void *arg);
	/* Then, of these: set[i] still holds, or ... */
	void (*confirmed)(size_t i, void *arg);
	/* ... none did, and this is one that does: fresh rows, worth keeping. */
	void (*store)(const struct rec_link *rows, size_t n, void *arg);
	void *arg;
};

/* One calibration. Zero-initialise, then set comm and (in the shim) mpi. */
struct measure {
	const struct mpi_next *mpi;
	const struct more_steps *more; /* kinds of steps beyond those of pair.h; NULL: none */
	MPI_Comm comm;
	int rank, nranks; /* in comm */
	/* hosts of several kinds have links of their own; else all are of one */
	bool tells_kinds;
	/*
	 * [nranks] number of the link to each rank (include/record.h), which tells its tier;
	 * malloc'ed
	 */
	uint8_t *link_of;
	/* who measures the tier first, ranks in comm; -1: tier not in use */
	int32_t pair[TIER_COUNT][2];
	struct link_kinds joins;
	int kind;               /* of this rank's host */
	struct host_tree hosts; /* this rank's place among the hosts */
	bool oversubscribed;    /* some host has more ranks than processors */
	/* who waits long for the other rank of a pair sleeps; set by measure_quick() */
	bool dozes;
	/* pairs that measure inside this host beside this one, before it */
	int slot;
	char transport[64]; /* what the library seems to use, "" if it does not tell */
};

/*
 * Find out which tier each rank is on, and who measures: collective, one MPI_Allgather. Sets
 * rank, nranks, link_of, pair, joins, kind, hosts and oversubscribed. Returns 0, -ENOMEM or -EIO.
 */
int measure_tiers(struct measure *m);

/*
 * Measure all tiers in use: collective over comm, after measure_tiers(). rows[max] gets the rows of
 * all this rank's links, the same on all ranks of hosts of a kind (head and peer set; source
 * "measured", "cache" or "unconfirmed"); max is at least MEASURE_ROWS_ALL. Rows of a stored set
 * have one more, "age": seconds since it was measured, and by whom as its reason. A link of which
 * nothing is known has rows whose reason says so. Returns 0, -ENOMEM, or -EIO where MPI failed.
 */
int measure_quick(struct measure *m, const struct measure_options *options, struct rec_link *rows,
	size_t max, size_t *n);

/* The `peer` in rows of this rank's link: the lowest rank of the other kind of hosts, or -1. */
int32_t measure_link_peer(const struct measure *m, unsigned link);

void measure_release(struct measure *m);

#endif
