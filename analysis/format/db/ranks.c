/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: which ranks have files in a directory. */
#include "analysis/format/db/db.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/format/run/run_dir.h"

enum { HAS_ROWS = 1, HAS_RING = 2 };

/* One file of a rank; the same rank comes once for each of its files. */
static int add_file(struct db_ranks *list, uint32_t *room, char *dir, int32_t rank, int has)
{
	int rc = array_room(&list->rank, sizeof(*list->rank), room, list->nranks);

	if (rc)
		return rc;
	list->rank[list->nranks++] =
		(struct db_rank){ rank, has == HAS_ROWS, has == HAS_RING, dir };
	return 0;
}

static int add_dir(struct db_ranks *list, const char *path, char **dir)
{
	char **grown = realloc(list->dirs, (list->ndirs + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->dirs = grown;
	*dir = strdup(path);
	if (!*dir)
		return -ENOMEM;
	list->dirs[list->ndirs++] = *dir;
	return 0;
}

/* Reads one directory; `nested`: also its subdirectories of a thousand ranks. */
static int read_dir(struct db_ranks *list, uint32_t *room, const char *path, bool nested)
{
	const struct dirent *entry;
	char sub[PATH_MAX], *dir;
	DIR *d = opendir(path);
	int rc;

	if (!d)
		return -errno;
	rc = add_dir(list, path, &dir);
	while (!rc && (entry = readdir(d))) {
		const char *name = entry->d_name;
		int32_t rank;

		if ((rank = run_rank_of_name(name, "db")) >= 0)
			rc = add_file(list, room, dir, rank, HAS_ROWS);
		else if ((rank = run_rank_of_name(name, "ring")) >= 0 ||
			(rank = run_rank_of_name(name, "spool")) >= 0)
			rc = add_file(list, room, dir, rank, HAS_RING);
		else if (nested && strncmp(name, "ranks-", 6) == 0 &&
			snprintf(sub, sizeof(sub), "%s/%s", path, name) < (int)sizeof(sub)) {
			rc = read_dir(list, room, sub, false);
			/* a plain file of that name, or one that may not be read, hides no others
			 */
			if (rc != -ENOMEM)
				rc = 0;
		}
	}
	closedir(d);
	return rc;
}

static int by_rank(const void *a, const void *b)
{
	const struct db_rank *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

int db_ranks_list(const char *dir, struct db_ranks *list, const struct say *say)
{
	uint32_t room = 0, n = 0;
	int rc;

	memset(list, 0, sizeof(*list));
	rc = read_dir(list, &room, dir, true);
	if (rc) {
		say_line(say, "cannot read directory '%s': %s", dir, strerror(-rc));
		db_ranks_release(list);
		return rc;
	}
	if (list->nranks)
		qsort(list->rank, list->nranks, sizeof(*list->rank), by_rank);
	for (uint32_t i = 0; i < list->nranks; i++) {
		const struct db_rank *file = &list->rank[i];

		if (n && list->rank[n - 1].rank == file->rank) {
			list->rank[n - 1].has_rows |= file->has_rows;
			list->rank[n - 1].has_ring |= file->has_ring;
		} else {
			list->rank[n++] = *file;
		}
	}
	list->nranks = n;
	return 0;
}

void db_ranks_release(struct db_ranks *list)
{
	for (uint32_t i = 0; i < list->ndirs; i++)
		free(list->dirs[i]);
	free(list->dirs);
	free(list->rank);
	memset(list, 0, sizeof(*list));
}
