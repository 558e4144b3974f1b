/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h: worlds of processes that the program spawns.
 *
 *	parent: root    claims DIR/world-<n>, notes there who spawns, passes its path on  --> spawn
 *	parent: others  find the note by a key that all members of the communicator compute
 *	children        take that directory in MPI_Init, and read the note
 *
 * Nothing is sent, since neither side can know whether the other is recorded. With Open MPI a copy
 * of the program's MPI_Info passes LD_PRELOAD and TRYST_SPAWNED on, in the key `env` (PMIX_ENVAR
 * since 5.0). With other libraries, children that inherit both variables from the launcher claim a
 * directory by themselves, and their parents do not know which.
 */
#ifndef TRYST_START_WORLD_H
#define TRYST_START_WORLD_H

#include "pmpi/call/call.h"
#include "pmpi/call/comm.h"

/* The MPI_Info that a spawning call gets instead of the program's. */
struct spawn {
	uint64_t key; /* the same on all members; 0: not recorded */
	int world;    /* the number given to the children; PEER_WORLD_UNKNOWN */
	int ninfos;
	MPI_Info one; /* where ninfos is 1 */
	MPI_Info *infos;
	const MPI_Info *use; /* our copy or the program's */
};

/* In call c, before `count` commands are spawned over comm. */
void world_spawn_before(
	struct call *c, struct spawn *s, MPI_Comm comm, int root, int count, const MPI_Info *infos);

/* After the call; made: the intercommunicator, or MPI_COMM_NULL if nothing was spawned. */
void world_spawn_after(struct call *c, struct spawn *s, MPI_Comm comm, MPI_Comm made);

/* The note in a world's directory. */
struct world_note {
	int world; /* its number; 0: there is no note */
	int parent_world;
	uint64_t key; /* of the intercommunicator to the parents */
	uint64_t run_id;
	char dir[4096];
};

/*
 * On rank 0 of a spawned world: finds the parents' key and the directory for its records. False:
 * the parents passed nothing on.
 */
bool world_read_note(struct world_note *note);

#endif
