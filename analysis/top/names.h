/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h: what a rank's numbers stand for: callsites, communicators, the clock.
 *
 * Definitions are records like others. Those in the ring come with each look; earlier ones are read
 * from the spool when they are asked for.
 */
#ifndef TRYST_TOP_NAMES_H
#define TRYST_TOP_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"

/* The modules of all ranks, and their symbols. */
struct names;
struct names *names_new(void); /* NULL: no memory */
void names_free(struct names *n);

/* A communicator of a rank. */
struct comm_known {
	uint32_t comm;
	uint64_t uid;
	int32_t size;   /* members */
	bool own_world; /* its peers are ranks of this world */
	uint64_t begun; /* collectives that the rank is known to have begun in it */
};

/* The definitions of one rank. Zero it first. */
struct rank_names {
	struct site_known *site; /* by number */
	uint32_t nsites;
	struct module_known *module;
	uint32_t nmodules, modules_room;
	struct comm_known *comm; /* sorted by number */
	uint32_t ncomms, comms_room;
	struct rec_clock clock; /* the newest reading; ticks 0: none */
};

/* Takes a record if it is a definition, or the record of a collective. 0 or -ENOMEM. */
int names_take(struct names *n, struct rank_names *r, const struct rec_head *record);

void rank_names_release(struct rank_names *r);

/* NULL: not defined yet. */
struct comm_known *names_comm(const struct rank_names *r, uint32_t comm);

bool names_has_site(const struct rank_names *r, uint32_t callsite);

/*
 * "function file.c:12" of a callsite, as far as it is known, in text[size]: foreign text. ""
 * without a definition.
 */
void names_place(
	struct names *n, const struct rank_names *r, uint32_t callsite, char *text, size_t size);

#endif
