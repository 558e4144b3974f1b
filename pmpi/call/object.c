/* SPDX-License-Identifier: BSD-3-Clause */
/* object.c: the table of windows and files. */
#include "pmpi/call/object.h"

#include <stdlib.h>

enum { BUCKETS = 256, NAME_MAX_BYTES = 4000 };

static struct {
	struct object *bucket[BUCKETS];
	uint32_t count[OBJECT_KINDS]; /* ever made */
	uint64_t generation;          /* when this changes, the caches of all threads are invalid */
} table = { .generation = 1 };

static struct object **bucket_of(enum object_kind kind, uintptr_t handle)
{
	return &table.bucket[((handle >> 4 ^ handle) + kind) % BUCKETS];
}

struct object *object_find(struct thread *t, enum object_kind kind, uintptr_t handle)
{
	struct object_cached *cached = &t->objects[kind];
	uint64_t generation = __atomic_load_n(&table.generation, __ATOMIC_ACQUIRE);
	struct object *o;

	if (likely(cached->handle == handle && cached->generation == generation))
		return cached->object;
	shim_lock();
	for (o = *bucket_of(kind, handle); o && (o->handle != handle || o->kind != kind);
		o = o->next)
		;
	shim_unlock();
	if (o)
		*cached = (struct object_cached){ handle, generation, o };
	return o;
}

static void emit(struct call *c, const struct object *o, uint64_t uid, uint64_t bytes, int detail,
	const char *name)
{
	size_t length = strnlen(name, NAME_MAX_BYTES);
	uint32_t size = (uint32_t)(sizeof(struct rec_object) + length + 8) / 8 * 8;
	struct rec_object *r = record_reserve(c->t, size);

	memset(r, 0, size);
	r->head = (struct rec_head){ .type = o->kind == OBJECT_WINDOW ? REC_WINDOW : REC_FILE,
		.words = (uint16_t)(size / 8),
		.id = o->id };
	r->uid = uid;
	r->comm = o->comm ? o->comm->id : COMM_NONE;
	r->maker = c->fn;
	r->bytes = bytes;
	r->detail = detail;
	memcpy(r->text, name, length);
	record_commit(c->t, size);
}

static void object_free(struct object *o)
{
	if (o->comm)
		comm_drop(o->comm);
	free(o);
}

/* Under the lock. */
static void unlist(struct object *o)
{
	struct object **link;

	if (!o->listed)
		return;
	for (link = bucket_of(o->kind, o->handle); *link != o; link = &(*link)->next)
		;
	*link = o->next;
	o->listed = false;
	__atomic_add_fetch(&table.generation, 1, __ATOMIC_RELEASE);
}

/* Its handle now belongs to another object. */
static void replaced(struct object *o)
{
	bool ours;

	shim_lock();
	unlist(o);
	ours = !o->leaving;
	shim_unlock();
	if (ours)
		object_free(o);
}

struct object *object_made(struct call *c, enum object_kind kind, uintptr_t handle, MPI_Comm comm,
	uint64_t bytes, int detail, const char *name)
{
	struct object *o = object_find(c->t, kind, handle);
	uint64_t uid = 0;

	/* A handle that is still in the table was freed without our notice. */
	if (o)
		replaced(o);
	o = calloc(1, sizeof(*o));
	if (!o) {
		ring_file->dropped_other++;
		return NULL;
	}
	o->handle = handle;
	o->kind = kind;
	o->comm = comm_get(c->t, comm);
	if (o->comm) {
		comm_hold(o->comm);
		uid = o->comm->uid + 0x9e3779b97f4a7c15ULL * ++o->comm->objects;
	}
	shim_lock();
	o->id = ++table.count[kind];
	o->listed = true;
	o->next = *bucket_of(kind, handle);
	*bucket_of(kind, handle) = o;
	shim_unlock();
	emit(c, o, uid, bytes, detail, name ? name : "");
	return o;
}

static struct transfer describe(
	enum object_kind kind, const struct object *o, uint32_t seq, int peer, uint64_t bytes)
{
	return (struct transfer){ .is_io = kind == OBJECT_FILE,
		.object = o ? o->id : 0,
		.seq = seq,
		.peer = o && o->comm && peer >= 0 ? comm_world(o->comm, peer) : -1,
		.bytes = bytes };
}

void object_done(struct call *c, enum object_kind kind, const struct object *o, uint32_t seq,
	int peer, uint64_t bytes)
{
	struct transfer x = describe(kind, o, seq, peer, bytes);

	c->sum->bytes += bytes;
	request_transfer(c, &x);
}

void object_posted(struct call *c, enum object_kind kind, const struct object *o, uint32_t seq,
	int peer, uint64_t bytes, MPI_Request request)
{
	struct transfer x = describe(kind, o, seq, peer, bytes);

	c->sum->bytes += bytes;
	request_post_transfer(c, &x, request);
}

struct object *object_leaves(struct call *c, enum object_kind kind, uintptr_t handle)
{
	struct object *o = object_find(c->t, kind, handle);

	shim_lock();
	if (o)
		o->leaving = true;
	shim_unlock();
	return o;
}

void object_left(struct call *c, enum object_kind kind, struct object *o, bool freed)
{
	if (freed)
		object_done(c, kind, o, object_together(o), -1, 0);
	if (!o)
		return;
	shim_lock();
	if (freed)
		unlist(o);
	o->leaving = false;
	shim_unlock();
	if (freed)
		object_free(o);
}
