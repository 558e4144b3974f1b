/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top.c: the ranks of a directory.
 *
 * The directory is listed at each look: ranks come, and a run may be removed and started again
 * under the same name.
 */
#include <config.h>

#include "analysis/top/top.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/base/array.h"
#include "analysis/base/now.h"
#include "analysis/dataset/newest.h"
#include "analysis/format/db/db.h"

enum {
	BUDGET = 64 << 20, /* of spools, for definitions, at a look [bytes] */
	CLOSELY = 64       /* ranks whose /proc is read at a look */
};

int top_open(struct top *t, const char *dir, const struct say *say)
{
	memset(t, 0, sizeof(*t));
	t->chosen = !dir;
	if (dir && strlen(dir) >= sizeof(t->dir) - 8) {
		say_line(say, "cannot read directory '%s': %s", dir, strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	if (dir) {
		snprintf(t->dir, sizeof(t->dir), "%s", dir);
		/* its neighbours DIR.started and DIR.2 are looked for */
		for (size_t n = strlen(t->dir); n > 1 && t->dir[n - 1] == '/'; n--)
			t->dir[n - 1] = '\0';
	} else if (dataset_newest(".", t->dir, sizeof(t->dir)) != 0) {
		say_line(say, "no run in the current directory; give the run's directory");
		return -ENOENT;
	}
	t->looker.buffers = live_buffers_new();
	t->looker.names = names_new();
	if (!t->looker.buffers || !t->looker.names) {
		say_line(say, "out of memory");
		return -ENOMEM;
	}
	return 0;
}

static void forget_ranks(struct top *t)
{
	for (uint32_t i = 0; i < t->nranks; i++) {
		free((char *)t->rank[i]->live.dir);
		rank_release(t->rank[i]);
		free(t->rank[i]);
	}
	t->nranks = 0;
}

void top_close(struct top *t)
{
	forget_ranks(t);
	free(t->rank);
	free(t->waiter);
	waits_release(&t->waits);
	live_buffers_free(t->looker.buffers);
	names_free(t->looker.names);
	memset(t, 0, sizeof(*t));
}

static struct rank *rank_new(const struct db_rank *found)
{
	struct rank *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->live.rank = found->rank;
	r->live.dir = strdup(found->dir);
	if (!r->live.dir) {
		free(r);
		return NULL;
	}
	return r;
}

/* Keeps the ranks that are known, and adds those that are new. Both lists are in order. */
static int merge_list(struct top *t, const struct db_ranks *list)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < list->nranks; i++) {
		const struct db_rank *found = &list->rank[i];

		while (at < t->nranks && t->rank[at]->live.rank < found->rank)
			at++;
		if (at == t->nranks || t->rank[at]->live.rank != found->rank) {
			struct rank *r;

			if (array_room(&t->rank, sizeof(struct rank *), &t->room, t->nranks) != 0)
				return -ENOMEM;
			r = rank_new(found);
			if (!r)
				return -ENOMEM;
			memmove(t->rank + at + 1, t->rank + at,
				(t->nranks - at) * sizeof(struct rank *));
			t->rank[at] = r;
			t->nranks++;
		}
		t->rank[at]->has_rows = found->has_rows;
	}
	return 0;
}

/* Marks of processes that MPI_Init has not moved into the run's directory. */
static uint32_t count_marks(const char *dir, bool below)
{
	const struct dirent *entry;
	char path[8192];
	uint32_t n = 0;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		if (!below)
			n++;
		else if (snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) <
			(int)sizeof(path))
			n += count_marks(path, false);
	}
	if (d)
		closedir(d);
	return n;
}

bool top_is_over(const struct top *t)
{
	for (uint32_t i = 0; i < t->nranks; i++)
		if (t->rank[i]->state < RANK_ENDED)
			return false;
	return t->nranks > 0;
}

static int find_waits(struct top *t)
{
	if (t->waiters < t->nranks) {
		struct waiter *more = realloc(t->waiter, t->nranks * sizeof(*more));

		if (!more)
			return -ENOMEM;
		t->waiter = more;
		t->waiters = t->nranks;
	}
	for (uint32_t i = 0; i < t->nranks; i++)
		t->waiter[i] = t->rank[i]->wait;
	return waits_find(&t->waits, t->waiter, t->nranks);
}

/* If the run that was chosen is over, a later one takes its place. */
static void choose_again(struct top *t)
{
	char dir[sizeof(t->dir)];

	if (!t->chosen || !top_is_over(t) || dataset_newest(".", dir, sizeof(dir)) != 0 ||
		strcmp(dir, t->dir) == 0)
		return;
	memcpy(t->dir, dir, sizeof(dir));
	forget_ranks(t);
	t->looked_ns = 0;
}

/* Chooses the ranks whose /proc is read. The first two looks read all, so that --once has all. */
static void take_turns(struct top *t)
{
	for (uint32_t i = 0; i < t->nranks; i++)
		t->rank[i]->live.briefly = t->between_ns > 0 &&
			(i + t->nranks - t->turn % t->nranks) % t->nranks >= CLOSELY;
	if (t->between_ns > 0)
		t->turn += CLOSELY;
}

static int look_at_ranks(struct top *t)
{
	int rc = 0;

	t->expected = 0;
	t->far = false;
	t->looker.budget = BUDGET;
	take_turns(t);
	live_see_ends(t->looker.buffers);
	for (uint32_t i = 0; i < t->nranks && !rc; i++) {
		const struct comm_known *world;

		rc = rank_look(t->rank[i], &t->looker);
		world = names_comm(&t->rank[i]->names, COMM_WORLD_ID);
		if (world && world->size > t->expected)
			t->expected = world->size;
		if (t->rank[i]->rows.world_size > t->expected)
			t->expected = t->rank[i]->rows.world_size;
		t->far |= t->rank[i]->live.elsewhere;
	}
	return rc ? rc : find_waits(t);
}

int top_look(struct top *t, const struct say *say)
{
	int64_t cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID), now;
	char marks[sizeof(t->dir) + sizeof(".started")];
	struct db_ranks list;
	int rc;

	choose_again(t);
	rc = db_ranks_list(t->dir, &list, say);
	if (rc)
		return rc;
	rc = merge_list(t, &list);
	db_ranks_release(&list);
	t->looker.at_ns = now = now_ns(CLOCK_MONOTONIC);
	if (!rc)
		rc = look_at_ranks(t);
	if (rc) {
		say_line(say, "out of memory");
		return rc;
	}
	snprintf(marks, sizeof(marks), "%s.started", t->dir);
	t->starting = count_marks(marks, true);
	if (!top_is_over(t) || !dataset_later(t->dir, t->later, sizeof(t->later)))
		t->later[0] = '\0';
	t->between_ns = t->looked_ns ? now - t->looked_ns : 0;
	t->looked_ns = now;
	t->cost_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	return 0;
}
