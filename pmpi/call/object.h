/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * object.h: windows and open files: a number for each handle, one identity on all members.
 *
 *	handle --hash--> struct object --> struct comm: the ranks behind target ranks
 *
 * Assumes few of them at a time, and any number made and freed. The identity needs no message:
 * making one is collective over its communicator, so all members count alike.
 */
#ifndef TRYST_CALL_OBJECT_H
#define TRYST_CALL_OBJECT_H

#include "pmpi/call/request.h"

struct object {
	uintptr_t handle;
	enum object_kind kind;
	uint32_t id;          /* from 1 for each kind */
	struct comm *comm;    /* held; NULL: no memory for it */
	uint32_t next_seq;    /* of collective calls */
	uint64_t split_bytes; /* requested by the begin of a split collective */
	bool listed;          /* found by its handle */
	bool leaving; /* a call that frees the handle is under way, and will release this object */
	struct object *next; /* hash chain */
};

/*
 * The library has made a window or opened a file in call c, from comm. bytes and detail: struct
 * rec_object; name: of the file, or "". NULL: no memory.
 */
struct object *object_made(struct call *c, enum object_kind kind, uintptr_t handle, MPI_Comm comm,
	uint64_t bytes, int detail, const char *name);

/* NULL: unknown, since it was made while nothing was recorded. */
struct object *object_find(struct thread *t, enum object_kind kind, uintptr_t handle);

/*
 * object_leaves(): call c is about to free o's handle; NULL: unknown. object_left(): tells whether
 * it did. From then on the handle can belong to another object, made on another thread.
 */
struct object *object_leaves(struct call *c, enum object_kind kind, uintptr_t handle);
void object_left(struct call *c, enum object_kind kind, struct object *o, bool freed);

/* The number of the next collective call on o. */
static inline uint32_t object_seq(struct object *o)
{
	return __atomic_fetch_add(&o->next_seq, 1, __ATOMIC_RELAXED);
}

/*
 * Records a transfer, or a call that belongs to transfers, which ended in call c. o is NULL if the
 * object is unknown. peer is the rank in the object's communicator; negative: none.
 */
void object_done(struct call *c, enum object_kind kind, const struct object *o, uint32_t seq,
	int peer, uint64_t bytes);

/* The same for a transfer that continues under a request. */
void object_posted(struct call *c, enum object_kind kind, const struct object *o, uint32_t seq,
	int peer, uint64_t bytes, MPI_Request request);

/* ---- called by the wrappers that wrap.awk makes ---- */

static inline struct object *window_of(struct call *c, MPI_Win win)
{
	return object_find(c->t, OBJECT_WINDOW, (uintptr_t)win);
}

static inline struct object *file_of(struct call *c, MPI_File file)
{
	return object_find(c->t, OBJECT_FILE, (uintptr_t)file);
}

/* The number of this collective call on o. */
static inline uint32_t object_together(struct object *o)
{
	return o ? object_seq(o) : TRANSFER_ALONE;
}

/* Marks a status that a library may not fill in: file_moved() then uses the requested size. */
static inline void file_status_unknown(MPI_Status *status)
{
	memset(status, 0xff, sizeof(*status));
}

/* The bytes that a file operation has moved, of `asked`, from its status. */
static inline uint64_t file_moved(const MPI_Status *status, uint64_t asked)
{
	uint64_t bytes = status_bytes(status);

	return bytes < asked ? bytes : asked;
}

#endif
