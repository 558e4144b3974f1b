/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c: definitions of ranks, most of which have the same modules. */
#include <config.h>

#include "analysis/top/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/symbols/symbols.h"

enum {
	SITES_MOST = 1 << 17, /* more than the library gives */
	COMMS_MOST = 1 << 16,
	MODULES_MOST = 1 << 12 /* of a rank */
};

struct site_known {
	uint32_t module; /* a rank's number of it; 0: none */
	bool defined;
	uint64_t offset;
};

struct module_known {
	uint32_t id; /* a rank's number */
	uint32_t at; /* in names.module */
};

struct module_named {
	char *path;
	char build_id[2 * 23 + 1];
};

struct names {
	struct module_named *module;
	uint32_t nmodules, room;
	struct symbols *symbols;
};

struct names *names_new(void)
{
	struct names *n = calloc(1, sizeof(*n));

	if (n)
		n->symbols = symbols_new();
	if (n && !n->symbols) {
		free(n);
		return NULL;
	}
	return n;
}

void names_free(struct names *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n->nmodules; i++)
		free(n->module[i].path);
	free(n->module);
	symbols_free(n->symbols);
	free(n);
}

void rank_names_release(struct rank_names *r)
{
	free(r->site);
	free(r->module);
	free(r->comm);
	memset(r, 0, sizeof(*r));
}

/* Its place among the modules of all ranks, in *at. */
static int share_module(struct names *n, const struct rec_module *m, uint32_t *at)
{
	struct module_named named = { .path = NULL };
	int rc;

	for (int i = 0; i < m->build_id_bytes; i++)
		snprintf(named.build_id + 2 * (size_t)i, 3, "%02x", m->build_id[i]);
	for (*at = 0; *at < n->nmodules; ++*at)
		if (strcmp(n->module[*at].path, m->path) == 0 &&
			strcmp(n->module[*at].build_id, named.build_id) == 0)
			return 0;
	rc = array_room(&n->module, sizeof(*n->module), &n->room, n->nmodules);
	named.path = rc ? NULL : strdup(m->path);
	if (!named.path)
		return -ENOMEM;
	n->module[n->nmodules++] = named;
	return 0;
}

static int take_module(struct names *n, struct rank_names *r, const struct rec_module *m)
{
	uint32_t at;
	int rc;

	for (uint32_t i = 0; i < r->nmodules; i++)
		if (r->module[i].id == m->head.id)
			return 0;
	if (r->nmodules == MODULES_MOST)
		return 0;
	rc = share_module(n, m, &at);
	if (!rc)
		rc = array_room(&r->module, sizeof(*r->module), &r->modules_room, r->nmodules);
	if (!rc)
		r->module[r->nmodules++] = (struct module_known){ m->head.id, at };
	return rc;
}

static int take_site(struct rank_names *r, const struct rec_callsite *s)
{
	int rc;

	if (s->head.id >= SITES_MOST)
		return 0;
	rc = array_cover(&r->site, sizeof(*r->site), &r->nsites, s->head.id);
	if (rc)
		return rc;
	r->site[s->head.id] = (struct site_known){ .defined = true };
	if (s->nframes) {
		r->site[s->head.id].module = s->frames[0].module;
		r->site[s->head.id].offset = s->frames[0].offset;
	}
	return 0;
}

/* The place of a communicator in the rank's list, which is sorted by number. */
static uint32_t comm_place(const struct rank_names *r, uint32_t comm)
{
	uint32_t low = 0, high = r->ncomms;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->comm[middle].comm < comm)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct comm_known *names_comm(const struct rank_names *r, uint32_t comm)
{
	const uint32_t i = comm_place(r, comm);

	return i < r->ncomms && r->comm[i].comm == comm ? &r->comm[i] : NULL;
}

/* The entry of a communicator, made if it has none. NULL: no memory, or too many. */
static struct comm_known *comm_entry(struct rank_names *r, uint32_t comm)
{
	struct comm_known *known = names_comm(r, comm);

	if (known || r->ncomms == COMMS_MOST ||
		array_room(&r->comm, sizeof(*r->comm), &r->comms_room, r->ncomms) != 0)
		return known;
	known = &r->comm[comm_place(r, comm)];
	memmove(known + 1, known, (size_t)(r->comm + r->ncomms++ - known) * sizeof(*known));
	*known = (struct comm_known){ .comm = comm, .own_world = true };
	return known;
}

static void take_comm(struct rank_names *r, const struct rec_comm *c)
{
	struct comm_known *known = comm_entry(r, c->head.id);

	if (!known)
		return;
	known->uid = c->uid;
	known->size = c->size;
	known->own_world = c->peer_world == PEER_WORLD_OWN;
	/* a collective of an intercommunicator has members of two groups */
	if (c->remote_size)
		known->size = 0;
}

static void take_collective(struct rank_names *r, const struct rec_collective *c)
{
	struct comm_known *known = comm_entry(r, c->comm);

	if (known && c->seq >= known->begun && c->seq < UINT64_MAX)
		known->begun = c->seq + 1;
}

int names_take(struct names *n, struct rank_names *r, const struct rec_head *record)
{
	const struct rec_clock *clock = (const void *)record;

	switch (record->type) {
	case REC_MODULE:
		return take_module(n, r, (const void *)record);
	case REC_CALLSITE:
		return take_site(r, (const void *)record);
	case REC_COMM:
		take_comm(r, (const void *)record);
		return 0;
	case REC_COLLECTIVE:
	case REC_COLLECTIVE2:
		take_collective(r, (const void *)record);
		return 0;
	case REC_CLOCK:
		if (clock->ticks >= r->clock.ticks)
			r->clock = *clock;
		return 0;
	default:
		return 0;
	}
}

bool names_has_site(const struct rank_names *r, uint32_t callsite)
{
	return callsite < r->nsites && r->site[callsite].defined;
}

static const struct module_named *module_of(
	const struct names *n, const struct rank_names *r, uint32_t id)
{
	for (uint32_t i = 0; i < r->nmodules; i++)
		if (r->module[i].id == id)
			return &n->module[r->module[i].at];
	return NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void names_place(
	struct names *n, const struct rank_names *r, uint32_t callsite, char *text, size_t size)
{
	const struct module_named *m;
	struct symbol s;

	text[0] = '\0';
	if (!names_has_site(r, callsite))
		return;
	m = module_of(n, r, r->site[callsite].module);
	if (!m)
		return;
	symbols_resolve(n->symbols, m->path, m->build_id, r->site[callsite].offset, &s);
	if (s.function && s.file)
		snprintf(text, size, "%s %s:%d", s.function, last_part(s.file), s.line);
	else if (s.function)
		snprintf(text, size, "%s", s.function);
	else
		snprintf(text, size, "%s+0x%llx", last_part(m->path),
			(unsigned long long)r->site[callsite].offset);
}
