/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.c: allocates ops, groups and waits in slabs (pool.h). */
#include "analysis/match/pool.h"

#include <stdlib.h>

enum { SLAB_OPS = 1024, SLAB_GROUPS = 1024, SLAB_KEPT = 256 };

struct slab {
	struct slab *next;
};

static void *slab_new(struct pool *p, size_t size)
{
	struct slab *slab = malloc(sizeof(*slab) + size);

	if (!slab)
		return NULL;
	slab->next = p->slabs;
	p->slabs = slab;
	return slab + 1;
}

void pool_free_op(struct pool *p, struct op *op)
{
	op->next = p->free_ops;
	p->free_ops = op;
	p->in_flight--;
}

void pool_free_group(struct pool *p, struct op_group *group)
{
	group->next = p->free_groups;
	p->free_groups = group;
}

void pool_free_kept(struct pool *p, struct coll_kept *kept)
{
	kept->next = p->free_kept;
	p->free_kept = kept;
}

struct op *pool_take_op(struct pool *p)
{
	struct op *op = p->free_ops;

	if (!op) {
		op = slab_new(p, SLAB_OPS * sizeof(*op));
		for (int i = 0; op && i < SLAB_OPS; i++)
			op[i].next = i + 1 < SLAB_OPS ? &op[i + 1] : NULL;
	}
	if (!op)
		return NULL;
	p->free_ops = op->next;
	if (++p->in_flight > p->in_flight_max)
		p->in_flight_max = p->in_flight;
	return op;
}

struct op_group *pool_take_group(struct pool *p)
{
	struct op_group *group = p->free_groups;

	if (!group) {
		group = slab_new(p, SLAB_GROUPS * sizeof(*group));
		for (int i = 0; group && i < SLAB_GROUPS; i++)
			group[i].next = i + 1 < SLAB_GROUPS ? &group[i + 1] : NULL;
	}
	if (group)
		p->free_groups = group->next;
	return group;
}

struct coll_kept *pool_take_kept(struct pool *p)
{
	struct coll_kept *kept = p->free_kept;

	if (!kept) {
		kept = slab_new(p, SLAB_KEPT * sizeof(*kept));
		for (int i = 0; kept && i < SLAB_KEPT; i++)
			kept[i].next = i + 1 < SLAB_KEPT ? &kept[i + 1] : NULL;
	}
	if (kept)
		p->free_kept = kept->next;
	return kept;
}

void pool_release(struct pool *p)
{
	while (p->slabs) {
		struct slab *next = p->slabs->next;

		free(p->slabs);
		p->slabs = next;
	}
	*p = (struct pool){ 0 };
}
