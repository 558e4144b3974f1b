/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c: the table of communicators, their identities and members. */
#include "pmpi/call/comm.h"

#include <stdlib.h>

#include "functions.h"
#include "pmpi/record/isolate.h"
#include "pmpi/dispatch/handles.h"
#include "next.h"

enum {
	BUCKETS_FIRST = 256,
	WINDOW = 8 /* ranks of the world that are searched at a time */
};

MPI_Comm comm_all;
uint64_t comm_generation = 1;
uint64_t type_generation = 1;
uint64_t repeat_generation = 1;

static struct {
	struct comm **bucket;
	size_t nbuckets;
	size_t count;
	uint32_t next_id;
	MPI_Group world_group;
} table;

/* Counts communicators with the same members, maker and parent. */
static struct {
	struct making {
		uint64_t key; /* 0: free */
		uint64_t times;
	} * slot;
	size_t nslots;
	size_t used;
} makings;

static uint64_t mix(uint64_t h, uint64_t x)
{
	h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
	h ^= h >> 31;
	h *= 0xbf58476d1ce4e5b9ULL;
	return h ^ h >> 29;
}

static size_t bucket_of(uintptr_t handle)
{
	return (size_t)mix(1, handle) & (table.nbuckets - 1);
}

/* Signals are blocked: a handler that jumped out would leave the chains half changed. */
static void grow_buckets(void)
{
	struct comm **old = table.bucket, **bucket;
	size_t nold = table.nbuckets;
	struct isolate guest;

	isolate_enter_locked(&guest);
	bucket = calloc(nold * 2, sizeof(*bucket));
	if (!bucket) {
		isolate_leave(&guest);
		return;
	}
	table.bucket = bucket;
	table.nbuckets = nold * 2;
	for (size_t i = 0; i < nold; i++) {
		for (struct comm *c = old[i], *rest; c; c = rest) {
			rest = c->next;
			c->next = bucket[bucket_of(c->handle)];
			bucket[bucket_of(c->handle)] = c;
		}
	}
	free(old);
	isolate_leave(&guest);
}

static void insert(struct comm *c)
{
	c->listed = true;
	if (table.count > table.nbuckets)
		grow_buckets();
	c->next = table.bucket[bucket_of(c->handle)];
	table.bucket[bucket_of(c->handle)] = c;
	table.count++;
}

/* Under the lock. */
static struct comm *look_up(uintptr_t handle)
{
	struct comm *c;

	for (c = table.bucket[bucket_of(handle)]; c && c->handle != handle; c = c->next)
		;
	return c;
}

struct comm *comm_find_slow(struct thread *t, uintptr_t handle)
{
	struct comm_cached *cached = &t->comms[(handle >> 4 ^ handle) % COMM_CACHE];
	uint64_t generation = __atomic_load_n(&comm_generation, __ATOMIC_ACQUIRE);
	struct comm *c;

	shim_lock();
	c = look_up(handle);
	shim_unlock();
	if (c)
		*cached = (struct comm_cached){ handle, generation, c };
	return c;
}

/*
 * Puts the world ranks of leading members into world[], as long as they are in the world's order.
 * Returns their number. It works on small windows of the world, because Open MPI's
 * MPI_Group_translate_ranks searches the target group from its start for each rank: n * n / 2 steps
 * for MPI_COMM_WORLD of n ranks (contrib/experiments/start-at-scale).
 */
static int translate_in_order(MPI_Group group, int size, const int *ranks, int *world)
{
	int at = 0;

	for (int first = 0; first < shim.nranks && at < size; first += WINDOW) {
		int last = first + WINDOW < shim.nranks ? first + WINDOW - 1 : shim.nranks - 1;
		int range[1][3] = { { first, last, 1 } }, n, found;
		MPI_Group window;

		if (pnext.MPI_Group_range_incl(table.world_group, 1, range, &window) != MPI_SUCCESS)
			break;
		do {
			n = size - at < WINDOW ? size - at : WINDOW;
			found = 0;
			if (pnext.MPI_Group_translate_ranks(
				    group, n, ranks + at, window, world + at) != MPI_SUCCESS)
				break;
			while (found < n && world[at + found] != MPI_UNDEFINED)
				world[at + found++] += first;
			at += found;
		} while (found == n && at < size);
		pnext.MPI_Group_free(&window);
	}
	return at;
}

/* Puts the world ranks of a group's members into `world`; -1 for members of another world. */
static int translate(MPI_Group group, int size, int *world)
{
	int *ranks = malloc((size_t)size * sizeof(*ranks));
	int at = 0, found = shim.nranks;

	if (!ranks)
		return -1;
	for (int i = 0; i < size; i++)
		ranks[i] = i;
	/* another pass over the world is worth its time while a pass finds this many */
	while (size - at > WINDOW && found > shim.nranks / 1024) {
		found = translate_in_order(group, size - at, ranks + at, world + at);
		at += found;
	}
	if (at < size &&
		pnext.MPI_Group_translate_ranks(group, size - at, ranks + at, table.world_group,
			world + at) != MPI_SUCCESS) {
		free(ranks);
		return -1;
	}
	for (int i = 0; i < size; i++)
		if (world[i] == MPI_UNDEFINED)
			world[i] = -1;
	free(ranks);
	return 0;
}

/* The members' world ranks, which the caller frees. NULL: no memory, or no such group. */
static int *members(MPI_Comm comm, bool remote, int size)
{
	MPI_Group group;
	int rc, *world = malloc((size_t)(size ? size : 1) * sizeof(*world));

	if (!world)
		return NULL;
	rc = remote ? pnext.MPI_Comm_remote_group(comm, &group) :
		      pnext.MPI_Comm_group(comm, &group);
	if (rc != MPI_SUCCESS || translate(group, size, world) != 0) {
		free(world);
		return NULL;
	}
	pnext.MPI_Group_free(&group);
	return world;
}

static uint64_t hash_members(const int *world, int size)
{
	uint64_t h = 7;

	for (int i = 0; i < size; i++)
		h = mix(h, (uint64_t)(int64_t)world[i] + 2);
	return h;
}

static bool is_identity(const int *world, int size)
{
	for (int i = 0; i < size; i++)
		if (world[i] != i)
			return false;
	return true;
}

/* Sets what follows from the members: identity, foreign, and their hash. */
static void learn_members(struct comm *c, MPI_Comm comm)
{
	int *local = members(comm, false, c->size), *remote = NULL;

	if (!local)
		return;
	c->members = hash_members(local, c->size);
	if (c->remote_size) {
		remote = members(comm, true, c->remote_size);
		if (remote) {
			/* the same on both sides */
			c->members += hash_members(remote, c->remote_size);
			for (int i = 0; i < c->remote_size; i++)
				c->foreign |= remote[i] < 0;
		}
		c->world = remote;
		free(local);
		return;
	}
	for (int i = 0; i < c->size; i++)
		c->foreign |= local[i] < 0;
	c->identity = is_identity(local, c->size);
	if (c->identity)
		free(local);
	else
		c->world = local;
}

static int grow_makings(void)
{
	size_t nslots = makings.nslots ? makings.nslots * 2 : 256;
	struct making *slot = calloc(nslots, sizeof(*slot));

	if (!slot)
		return -1;
	for (size_t i = 0; i < makings.nslots; i++) {
		size_t at = makings.slot[i].key & (nslots - 1);

		if (makings.slot[i].key == 0)
			continue;
		while (slot[at].key)
			at = (at + 1) & (nslots - 1);
		slot[at] = makings.slot[i];
	}
	free(makings.slot);
	makings.slot = slot;
	makings.nslots = nslots;
	return 0;
}

/* Number of communicators with this key so far, with this one. */
static uint64_t count_making(uint64_t key)
{
	size_t at;

	if (makings.used * 2 >= makings.nslots && grow_makings() != 0)
		return 0;
	key |= 1;
	for (at = key & (makings.nslots - 1); makings.slot[at].key != key;
		at = (at + 1) & (makings.nslots - 1)) {
		if (makings.slot[at].key)
			continue;
		makings.slot[at].key = key;
		makings.used++;
		break;
	}
	return makings.slot[at].times++;
}

static void emit(struct thread *t, const struct comm *c, uint32_t parent, unsigned maker)
{
	struct rec_comm r = { .head = { .type = REC_COMM, .words = sizeof(r) / 8, .id = c->id },
		.uid = c->uid,
		.parent = parent,
		.maker = maker,
		.size = c->size,
		.my_rank = c->rank,
		.remote_size = c->remote_size,
		.peer_world = c->peer_world };

	record_append(t, &r);
}

static void emit_name(struct thread *t, MPI_Comm comm, uint32_t id)
{
	char name[MPI_MAX_OBJECT_NAME + 1] = "";
	int length = 0;

	if (pnext.MPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS && length > 0)
		record_text(t, REC_COMM_NAME, id, name);
}

/* Reads size, rank and members of a valid communicator. NULL: no memory, or MPI refused. */
static struct comm *describe(MPI_Comm comm)
{
	struct comm *c = calloc(1, sizeof(*c));
	int inter = 0;

	if (!c)
		return NULL;
	c->handle = (uintptr_t)comm;
	if (pnext.MPI_Comm_size(comm, &c->size) != MPI_SUCCESS ||
		pnext.MPI_Comm_rank(comm, &c->rank) != MPI_SUCCESS ||
		pnext.MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
		(inter && pnext.MPI_Comm_remote_size(comm, &c->remote_size) != MPI_SUCCESS)) {
		free(c);
		return NULL;
	}
	learn_members(c, comm);
	c->peer_world = c->foreign ? PEER_WORLD_UNKNOWN : PEER_WORLD_OWN;
	return c;
}

/*
 * A duplicate equals its parent except for the handle. MPI is not asked, since the result of
 * MPI_Comm_idup is no communicator yet. NULL: no memory.
 */
static struct comm *describe_dup(MPI_Comm comm, const struct comm *parent)
{
	int members = parent->remote_size ? parent->remote_size : parent->size;
	struct comm *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->handle = (uintptr_t)comm;
	c->members = parent->members;
	c->size = parent->size;
	c->rank = parent->rank;
	c->remote_size = parent->remote_size;
	c->identity = parent->identity;
	c->foreign = parent->foreign;
	c->peer_world = parent->peer_world;
	if (parent->there) {
		c->there = malloc((size_t)members * sizeof(*c->there));
		if (c->there)
			memcpy(c->there, parent->there, (size_t)members * sizeof(*c->there));
	}
	if (parent->world) {
		c->world = malloc((size_t)members * sizeof(*c->world));
		if (c->world)
			memcpy(c->world, parent->world, (size_t)members * sizeof(*c->world));
	}
	return c;
}

static bool is_dup(unsigned fn)
{
	return fn == FN_MPI_Comm_dup || fn == FN_MPI_Comm_idup || fn == FN_MPI_Comm_dup_with_info ||
		fn == FN_MPI_Comm_idup_with_info;
}

static void comm_free(struct comm *c)
{
	free(c->world);
	free(c->there);
	free(c);
}

/* Properties of a communicator to another world that only its maker knows. */
struct other_world {
	uint64_t uid;
	int world;
	int *there;
};

static struct comm *comm_add(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm comm,
	const struct other_world *other)
{
	struct comm *c = !is_dup(fn) ? describe(comm) : parent ? describe_dup(comm, parent) : NULL;
	struct comm *known;
	uint64_t key;

	if (!c) {
		ring_count_loss(&ring_file->dropped_other);
		return NULL;
	}
	c->holds = 1;
	if (other) {
		c->peer_world = other->world;
		c->there = other->there;
	}
	/* The two sides of a new intercommunicator have different parents, and perhaps different
	 * calls. */
	key = mix(mix(c->members, fn == FN_MPI_Comm_connect ? FN_MPI_Comm_accept : fn),
		c->remote_size || !parent ? 0 : parent->uid);
	shim_lock();
	known = fn == FN_NONE ? look_up(c->handle) : NULL;
	if (known) {
		/* another thread has added it meanwhile */
		shim_unlock();
		comm_free(c);
		return known;
	}
	c->uid = other && other->uid ? other->uid : mix(key, count_making(key)) | 1;
	c->id = table.next_id++;
	insert(c);
	shim_unlock();
	emit(t, c, parent ? parent->id : COMM_NONE, fn);
	return c;
}

struct comm *comm_get(struct thread *t, MPI_Comm comm)
{
	struct comm *c = comm_find(t, comm);

	return likely(c) ? c : comm_add(t, FN_NONE, NULL, comm, NULL);
}

void comm_hold(struct comm *comm)
{
	__atomic_add_fetch(&comm->holds, 1, __ATOMIC_RELAXED);
}

void comm_drop(struct comm *comm)
{
	if (__atomic_sub_fetch(&comm->holds, 1, __ATOMIC_ACQ_REL) == 0)
		comm_free(comm);
}

/* The handle is free; the rank's number stays. */
static void unlist(struct comm *c)
{
	bool listed;

	shim_lock();
	listed = c->listed;
	if (listed) {
		struct comm **link = &table.bucket[bucket_of(c->handle)];

		while (*link != c)
			link = &(*link)->next;
		*link = c->next;
		table.count--;
		c->listed = false;
		__atomic_add_fetch(&comm_generation, 1, __ATOMIC_RELEASE);
		__atomic_add_fetch(&repeat_generation, 1, __ATOMIC_RELEASE);
	}
	shim_unlock();
	/* A receive in flight, or a persistent request, may still need its members. */
	if (listed)
		comm_drop(c);
}

struct comm *comm_leaves(struct thread *t, uintptr_t handle)
{
	struct comm *c = comm_find_slow(t, handle);

	if (c)
		comm_hold(c);
	return c;
}

void comm_left(struct comm *comm, bool freed)
{
	if (!comm)
		return;
	if (freed)
		unlist(comm);
	comm_drop(comm);
}

static struct comm *replace(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm made,
	const struct other_world *other)
{
	/* A handle that is still in the table was freed without our notice. */
	struct comm *known = comm_find(t, made);

	if (known)
		unlist(known);
	return comm_add(t, fn, parent, made, other);
}

void comm_made(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm made)
{
	if (made != H(MPI_COMM_NULL))
		replace(t, fn, parent, made, NULL);
}

void comm_foreign(struct thread *t, unsigned fn, struct comm *parent, MPI_Comm made, uint64_t uid,
	int peer_world, int *there)
{
	const struct other_world other = { uid, peer_world, there };

	if (!replace(t, fn, parent, made, &other))
		free(there);
}

static struct type_cached *type_slot(struct thread *t, uintptr_t handle)
{
	return &t->types[(handle >> 5 ^ handle) % TYPE_CACHE];
}

/*
 * Asks the library for the size of a type that it has accepted. Some libraries accept an invalid
 * type for messages without elements.
 */
static struct type_cached ask_type(MPI_Datatype type)
{
	MPI_Count size = 0, lower, true_extent = 0;
	uint64_t generation = __atomic_load_n(&type_generation, __ATOMIC_ACQUIRE);
	MPI_Aint lb, extent = 0;

	if (type != H(MPI_DATATYPE_NULL)) {
		pnext.MPI_Type_size_x(type, &size);
		pnext.MPI_Type_get_true_extent_x(type, &lower, &true_extent);
		pnext.MPI_Type_get_extent(type, &lb, &extent);
	}
	return (struct type_cached){ .handle = (uintptr_t)type,
		.generation = generation,
		.bytes = size > 0 ? (uint64_t)size : 0,
		.strided = true_extent != size || extent != (MPI_Aint)size };
}

const struct type_cached *type_get_slow(struct thread *t, MPI_Datatype type)
{
	struct type_cached *c = type_slot(t, (uintptr_t)type);

	*c = ask_type(type);
	return c;
}

/* Predefined types: known before the first call that uses one. */
enum { PREDEFINED_MAX = 48 };
static struct type_cached predefined[PREDEFINED_MAX];
static size_t npredefined;

static void find_predefined(void)
{
	const MPI_Datatype type[] = { H(MPI_CHAR), H(MPI_SIGNED_CHAR), H(MPI_UNSIGNED_CHAR),
		H(MPI_BYTE), H(MPI_WCHAR), H(MPI_SHORT), H(MPI_UNSIGNED_SHORT), H(MPI_INT),
		H(MPI_UNSIGNED), H(MPI_LONG), H(MPI_UNSIGNED_LONG), H(MPI_LONG_LONG_INT),
		H(MPI_UNSIGNED_LONG_LONG), H(MPI_FLOAT), H(MPI_DOUBLE), H(MPI_LONG_DOUBLE),
		H(MPI_PACKED), H(MPI_INT8_T), H(MPI_INT16_T), H(MPI_INT32_T), H(MPI_INT64_T),
		H(MPI_UINT8_T), H(MPI_UINT16_T), H(MPI_UINT32_T), H(MPI_UINT64_T), H(MPI_C_BOOL),
		H(MPI_C_FLOAT_COMPLEX), H(MPI_C_DOUBLE_COMPLEX), H(MPI_AINT), H(MPI_OFFSET),
		H(MPI_INTEGER), H(MPI_REAL), H(MPI_DOUBLE_PRECISION), H(MPI_COMPLEX),
		H(MPI_DOUBLE_COMPLEX), H(MPI_LOGICAL), H(MPI_CHARACTER) };

	_Static_assert(sizeof(type) / sizeof(*type) <= PREDEFINED_MAX, "all have room");
	for (size_t i = 0; i < sizeof(type) / sizeof(*type); i++)
		/* a library built without Fortran has no types for it */
		if (type[i] && type[i] != H(MPI_DATATYPE_NULL))
			predefined[npredefined++] = ask_type(type[i]);
}

const struct type_cached *type_find_predefined(struct thread *t, MPI_Datatype type)
{
	for (size_t i = 0; i < npredefined; i++)
		if (predefined[i].handle == (uintptr_t)type) {
			struct type_cached *c = type_slot(t, (uintptr_t)type);

			*c = predefined[i];
			c->generation = __atomic_load_n(&type_generation, __ATOMIC_RELAXED);
			return c;
		}
	return NULL;
}

int comm_start(struct thread *t)
{
	table.nbuckets = BUCKETS_FIRST;
	table.bucket = calloc(table.nbuckets, sizeof(*table.bucket));
	if (!table.bucket || pnext.MPI_Comm_group(comm_all, &table.world_group) != MPI_SUCCESS)
		return -1;
	find_predefined();
	table.next_id = COMM_WORLD_ID;
	if (!comm_add(t, FN_NONE, NULL, comm_all, NULL))
		return -1;
	if (comm_all != H(MPI_COMM_WORLD)) {
		/* without MPI_Init there is no MPI_COMM_SELF either */
		table.next_id = COMM_SELF_ID + 1;
		return 0;
	}
	if (!comm_add(t, FN_NONE, NULL, H(MPI_COMM_SELF), NULL))
		return -1;
	emit_name(t, H(MPI_COMM_WORLD), COMM_WORLD_ID);
	emit_name(t, H(MPI_COMM_SELF), COMM_SELF_ID);
	return 0;
}
