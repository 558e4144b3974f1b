/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm.h: communicators: a number for each handle, one identity on all members, and the ranks of
 * MPI_COMM_WORLD behind theirs; and the sizes of datatypes.
 *
 * Assumes few communicators and types in use at a time, and any number made and freed. The identity
 * (uid) needs no message. It is a hash of the members, the parent, the maker, and the number of
 * earlier communicators with the same three. All members know that number, since all take part in
 * making each of them.
 */
#ifndef TRYST_CALL_COMM_H
#define TRYST_CALL_COMM_H

#include "pmpi/dispatch/mpi_header.h"

#include "pmpi/record/thread.h"

struct comm {
	uintptr_t handle;
	uint32_t id;
	/* by its handle; wildcard receives, windows, files that need `world` */
	uint32_t holds;
	uint64_t uid;
	uint64_t members;  /* hash of the world ranks, in order */
	uint64_t next_seq; /* of collectives */
	uint32_t objects;  /* windows and files made from it */
	int size;
	int rank;
	int remote_size;   /* 0: intracommunicator */
	bool identity;     /* rank r is world rank r */
	bool foreign;      /* has members of another world */
	int peer_world;    /* whose: number of that world, or PEER_WORLD_* */
	int *there;        /* their ranks in it; NULL: as in the communicator */
	bool listed;       /* found by its handle */
	int *world;        /* world rank of each (remote) rank; NULL: identity, or no memory */
	struct comm *next; /* hash chain */
};

/* Both tables start empty; called once, in MPI_Init. */
int comm_start(struct thread *t);

/* Caches of all threads are void when this moves. */
extern uint64_t comm_generation;
extern uint64_t type_generation;

struct comm *comm_find_slow(struct thread *t, uintptr_t handle);

/* The communicator behind a handle, NULL if never seen. Calls no MPI function. */
HOT struct comm *comm_find(struct thread *t, MPI_Comm comm)
{
	uintptr_t handle = (uintptr_t)comm;
	struct comm_cached *c = &t->comms[(handle >> 4 ^ handle) % COMM_CACHE];

	if (likely(c->handle == handle &&
		    c->generation == __atomic_load_n(&comm_generation, __ATOMIC_RELAXED)))
		return c->comm;
	return comm_find_slow(t, handle);
}

/* The same, but adds an unknown one. For handles that a call has accepted. NULL: no memory. */
struct comm *comm_get(struct thread *t, MPI_Comm comm);

/*
 * A new communicator of this rank, made by function fn from parent (NULL: none). A null handle is
 * no news.
 */
void comm_made(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm made);

/*
 * The same for an intercommunicator to another world. uid: as the other side knows it, 0: neither
 * side can; there: ranks of its members in their world, owned by the communicator from now on,
 * NULL: 0, 1, ...
 */
void comm_foreign(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm made, uint64_t uid,
	int peer_world, int *there);

/*
 * All processes of this world: MPI_COMM_WORLD, or in a program of sessions alone a copy of the
 * first communicator that has them all.
 */
extern MPI_Comm comm_all;

/*
 * comm_leaves(): MPI is about to free this communicator; NULL: unknown. comm_left(): tells whether
 * it did. From then on the handle can belong to another communicator, made on another thread.
 */
struct comm *comm_leaves(struct thread *t, uintptr_t handle);
void comm_left(struct comm *comm, bool freed);

/* Keeps `comm` in memory until a matching comm_drop(), even if the program frees it before. */
void comm_hold(struct comm *comm);
void comm_drop(struct comm *comm);

/* Number of ranks that a call with it may name, from 0 on. */
HOT int comm_peers(const struct comm *comm)
{
	return comm->remote_size ? comm->remote_size : comm->size;
}

/* World rank of a (remote) rank of comm; -1: of another world, or no rank of it. */
HOT int comm_world(const struct comm *comm, int rank)
{
	if (unlikely((unsigned)rank >= (unsigned)comm_peers(comm)))
		return -1;
	if (likely(comm->identity))
		return rank;
	return comm->world ? comm->world[rank] : -1;
}

const struct type_cached *type_get_slow(struct thread *t, MPI_Datatype type);

/* A predefined datatype, whose size is known from the start, or NULL. Calls no MPI function. */
const struct type_cached *type_find_predefined(struct thread *t, MPI_Datatype type);

/* Size and shape of a datatype if known already, else NULL. Calls no MPI function. */
HOT const struct type_cached *type_find(struct thread *t, MPI_Datatype type)
{
	uintptr_t handle = (uintptr_t)type;
	struct type_cached *c = &t->types[(handle >> 5 ^ handle) % TYPE_CACHE];

	if (likely(c->handle == handle &&
		    c->generation == __atomic_load_n(&type_generation, __ATOMIC_RELAXED)))
		return c;
	return type_find_predefined(t, type);
}

/* Size and shape of a datatype that a call has accepted. Never NULL. */
static inline const struct type_cached *type_get(struct thread *t, MPI_Datatype type)
{
	const struct type_cached *c = type_find(t, type);

	return likely(c) ? c : type_get_slow(t, type);
}

/* Bytes of `count` elements of a type that a call has accepted. */
static inline uint64_t type_bytes(struct thread *t, MPI_Count count, MPI_Datatype type)
{
	return count > 0 ? (uint64_t)count * type_get(t, type)->bytes : 0;
}

/* A type was freed: its handle may come back as another type. */
static inline void type_freed(void)
{
	__atomic_add_fetch(&type_generation, 1, __ATOMIC_RELEASE);
	__atomic_add_fetch(&repeat_generation, 1, __ATOMIC_RELEASE);
}

#endif
