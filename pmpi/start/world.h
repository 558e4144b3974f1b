/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h: worlds of processes that the program spawns.
 *
 *	parent: root    claims DIR/world-<n>, notes there who spawns, passes its path on  --> spawn
 *	parent: others  find the note by the key that all members of the communicator compute alike
 *	children        take that directory in MPI_Init, and read the note
 *
 * Nothing is sent: neither side can know whether the other one is recorded. Open MPI passes
 * LD_PRELOAD and TRYST_SPAWNED on, in the key `env` (from 5.0 on PMIX_ENVAR) of a copy of the
 * program's MPI_Info. Elsewhere children that inherit both variables of the launcher claim a
 * directory by themselves; their parents then do not know which.
 */
#ifndef TRYST_START_WORLD_H
#define TRYST_START_WORLD_H

#include "pmpi/call/call.h"
#include "pmpi/call/comm.h"

/* What a spawning call is given instead of the program's MPI_Info. */
struct spawn {
	uint64_t key; /* the same on all members; 0: not recorded */
	int world;    /* the number given to the children; PEER_WORLD_UNKNOWN */
	int ninfos;
	MPI_Info one; /* where ninfos is 1 */
	MPI_Info *infos;
	const MPI_Info *use; /* ours or the program's */
};

/* In call c, before `count` commands are spawned over comm. */
void world_spawn_before(
	struct call *c, struct spawn *s, MPI_Comm comm, int root, int count, const MPI_Info *infos);

/* Afterwards: made is the intercommunicator, MPI_COMM_NULL if nothing was spawned. */
void world_spawn_after(struct call *c, struct spawn *s, MPI_Comm comm, MPI_Comm made);

/* What the note in a world's directory says. */
struct world_note {
	int world; /* its number; 0: there is no note */
	int parent_world;
	uint64_t key; /* of the intercommunicator to the parents */
	uint64_t run_id;
	char dir[4096];
};

/*
 * Rank 0 of a world that was spawned: whose child is it, and where are its records? False: nothing
 * was passed on.
 */
bool world_read_note(struct world_note *note);

#endif
