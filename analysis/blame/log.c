/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c: writes records of many lanes to a file, and reads a lane's backwards (log.h). */
#include <config.h>

#include "analysis/blame/log.h"
#include "analysis/base/array.h"
#include "analysis/base/bisect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_MIN = 32, BLOCK_MAX = 1024 };

static int open_nameless(const char *near)
{
	char dir[PATH_MAX];
	const char *tmp = getenv("TMPDIR"), *slash = near ? strrchr(near, '/') : NULL;
	int fd = -1;

	if (slash && slash - near < (int)sizeof(dir)) {
		memcpy(dir, near, (size_t)(slash - near));
		dir[slash - near] = '\0';
		fd = open(*dir ? dir : "/", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	}
	if (fd < 0 &&
		snprintf(dir, sizeof(dir), "%s/tryst-XXXXXX", tmp && *tmp ? tmp : "/tmp") <
			(int)sizeof(dir)) {
		fd = mkostemp(dir, O_CLOEXEC);
		if (fd >= 0)
			unlink(dir);
	}
	return fd;
}

int lane_logs_init(struct lane_logs *s, uint32_t record_bytes, uint64_t memory, uint32_t lanes,
	const char *near)
{
	uint64_t block = memory / record_bytes / lanes;

	*s = (struct lane_logs){ .record_bytes = record_bytes, .fd = open_nameless(near) };
	s->block = block < BLOCK_MIN ? BLOCK_MIN : block > BLOCK_MAX ? BLOCK_MAX : (uint32_t)block;
	return s->fd < 0 ? -errno : 0;
}

void lane_logs_release(struct lane_logs *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		free(s->at[i].block);
		free(s->at[i].tail);
	}
	free(s->at);
	if (s->fd > 0)
		close(s->fd);
	memset(s, 0, sizeof(*s));
}

static struct lane_log *log_at(struct lane_logs *s, uint32_t lane)
{
	struct lane_log *l;

	if (array_cover(&s->at, sizeof(*s->at), &s->n, lane))
		return NULL;
	l = &s->at[lane];
	if (!l->tail)
		l->tail = malloc((size_t)s->block * s->record_bytes);
	return l->tail ? l : NULL;
}

static void write_block(struct lane_logs *s, struct lane_log *l)
{
	size_t bytes = (size_t)s->block * s->record_bytes;

	s->error = array_room(&l->block, sizeof(*l->block), &l->room, l->nblocks);
	if (s->error)
		return;
	errno = ENOSPC;
	if (pwrite(s->fd, l->tail, bytes, (off_t)(s->blocks * bytes)) != (ssize_t)bytes) {
		s->error = -errno;
		return;
	}
	l->tail_is.index = s->blocks++;
	l->block[l->nblocks++] = l->tail_is;
	l->ntail = 0;
}

void lane_logs_add(
	struct lane_logs *s, uint32_t lane, int64_t at, uint32_t mark, const void *record)
{
	struct lane_log *l = s->error ? NULL : log_at(s, lane);

	if (!l) {
		s->error = s->error ? s->error : -ENOMEM;
		return;
	}
	if (l->ntail == 0)
		l->tail_is = (struct log_block){ .first = at, .mark = mark };
	memcpy(l->tail + (size_t)l->ntail * s->record_bytes, record, s->record_bytes);
	if (++l->ntail == s->block)
		write_block(s, l);
}

int lane_logs_view(const struct lane_logs *s, struct lane_logs_view *out)
{
	*out = (struct lane_logs_view){ s, calloc(s->n + 1, sizeof(*out->lane)), 0 };
	return out->lane ? 0 : -ENOMEM;
}

void lane_logs_view_release(struct lane_logs_view *v)
{
	for (uint32_t i = 0; v->lane && i < v->logs->n; i++)
		for (int k = 0; k < 2; k++)
			free(v->lane[i][k].record);
	free(v->lane);
	memset(v, 0, sizeof(*v));
}

uint32_t lane_logs_blocks(const struct lane_logs *s, uint32_t lane)
{
	return lane < s->n ? s->at[lane].nblocks + (s->at[lane].ntail > 0) : 0;
}

const struct log_block *lane_logs_entry(const struct lane_logs *s, uint32_t lane, uint32_t number)
{
	const struct lane_log *l = &s->at[lane];

	return number < l->nblocks ? &l->block[number] : &l->tail_is;
}

static bool is_last_before(const struct lane_logs *s, uint32_t lane, uint32_t number, int64_t ns)
{
	return (number == 0 || lane_logs_entry(s, lane, number)->first < ns) &&
		(number + 1 == lane_logs_blocks(s, lane) ||
			lane_logs_entry(s, lane, number + 1)->first >= ns);
}

uint32_t lane_logs_find(const struct lane_logs_view *v, uint32_t lane, int64_t ns)
{
	const struct lane_logs *s = v->logs;
	const struct lane_log *l = &s->at[lane];
	uint32_t before;

	/* most reads are near the last one, so the two blocks in memory are tried first */
	for (int k = 0; k < 2; k++)
		if (v->lane[lane][k].number &&
			is_last_before(s, lane, v->lane[lane][k].number - 1, ns))
			return v->lane[lane][k].number - 1;
	before = bisect_below(
		l->block, sizeof(*l->block), offsetof(struct log_block, first), l->nblocks, ns);
	if (before == l->nblocks && l->ntail && l->tail_is.first < ns)
		before++;
	return before ? before - 1 : 0;
}

const void *lane_logs_read(struct lane_logs_view *v, uint32_t lane, uint32_t number, uint32_t *n)
{
	const struct lane_logs *s = v->logs;
	const struct lane_log *l = &s->at[lane];
	struct log_cache *cache = &v->lane[lane][number & 1];
	size_t bytes = (size_t)s->block * s->record_bytes;

	*n = number == l->nblocks ? l->ntail : s->block;
	if (number == l->nblocks)
		return l->tail;
	if (cache->number == number + 1)
		return cache->record;
	if (!cache->record)
		cache->record = malloc(bytes);
	errno = EIO;
	if (!cache->record ||
		pread(s->fd, cache->record, bytes, (off_t)(l->block[number].index * bytes)) !=
			(ssize_t)bytes) {
		v->error = cache->record ? -errno : -ENOMEM;
		cache->number = 0;
		*n = 0;
		return NULL;
	}
	cache->number = number + 1;
	return cache->record;
}
