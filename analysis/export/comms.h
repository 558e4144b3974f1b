/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comms.h: communicators with their members, joined from the records of all ranks.
 *
 * A communicator is whole if every member left a file. Messages on other communicators, and on
 * intercommunicators, are exported as messages on MPI_COMM_WORLD, with its ranks.
 */
#ifndef TRYST_EXPORT_COMMS_H
#define TRYST_EXPORT_COMMS_H

#include "analysis/export/export.h"

struct export_comm {
	char *name;
	uint32_t size;
	int32_t *world;                 /* rank in MPI_COMM_WORLD by rank in this */
	struct export_member *by_world; /* rising */
};

struct export_member {
	int32_t world, rank;
};

struct export_comms {
	struct export_comm *comm; /* 0: MPI_COMM_WORLD; whole ones, of more than one member */
	uint32_t n;
	struct export_comm_numbers {
		/* by the rank's number: index in comm[], or COMM_SELF, _WORLD */
		uint32_t *of;
		uint32_t n;
	} * rank; /* by index of the rank */
	uint32_t world_size;
};

enum { EXPORT_COMM_WORLD = 0 };
#define EXPORT_COMM_SELF UINT32_MAX /* one member: the rank itself */

/* 0 or a negative errno, printed. */
int export_comms_read(struct export_run *run, struct export_comms *out);

void export_comms_release(struct export_comms *c, const struct export_run *run);

/* Index in comm[] of the rank's communicator `number`, or EXPORT_COMM_SELF. */
uint32_t export_comm_of(const struct export_comms *c, uint32_t rank_index, uint32_t number);

/* The rank within a communicator of a rank of MPI_COMM_WORLD; -1: no member. */
int32_t export_comm_rank(const struct export_comms *c, uint32_t comm, int32_t world);

#endif
