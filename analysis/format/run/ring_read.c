/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_read.c: reads a ring, checks regions, copies threads, and finds records (ring_read.h). */
#include "analysis/format/run/ring_read.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/base/file.h"
#include "analysis/format/run/record_shape.h"

#define MAP_MOST (256ULL << 20) /* more than all regions of a ring [bytes] */

enum { COPY_TRIES = 100 }; /* of a ring that is being written */

static sigjmp_buf out_of_copy;
static volatile sig_atomic_t copies;
static struct sigaction before;

static void end_copy(int signal)
{
	if (copies)
		siglongjmp(out_of_copy, 1);
	/* the signal is not ours */
	sigaction(signal, &before, NULL);
	raise(signal);
}

static int install_handler(void)
{
	static bool installed;
	/* siglongjmp() restores no mask, so the signal stays unblocked in the handler */
	struct sigaction action = { .sa_handler = end_copy, .sa_flags = SA_NODEFER };

	if (!installed && sigaction(SIGBUS, &action, &before) != 0)
		return -errno;
	installed = true;
	return 0;
}

int ring_source_map(struct ring_source *s, uint64_t bytes)
{
	int rc = bytes == 0 ? -EINVAL : bytes > MAP_MOST ? -EFBIG : install_handler();
	void *map;

	if (rc)
		return rc;
	map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, s->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	s->map = map;
	s->map_bytes = bytes;
	return 0;
}

void ring_source_unmap(struct ring_source *s)
{
	if (s->map)
		munmap((void *)s->map, (size_t)s->map_bytes);
	*s = (struct ring_source){ .fd = -1 };
}

/* False if the file has no such bytes any more. */
static bool copy(void *to, const uint8_t *from, size_t bytes)
{
	if (sigsetjmp(out_of_copy, 0) != 0) {
		copies = 0;
		return false;
	}
	copies = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memcpy(to, from, bytes);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	copies = 0;
	return true;
}

ssize_t ring_source_read(const struct ring_source *s, void *to, size_t bytes, uint64_t offset)
{
	if (!s->map)
		return file_read(s->fd, to, bytes, offset);
	if (offset >= s->map_bytes)
		return 0;
	if (bytes > s->map_bytes - offset)
		bytes = (size_t)(s->map_bytes - offset);
	return copy(to, s->map + offset, bytes) ? (ssize_t)bytes : -EIO;
}

size_t ring_entry_bytes(uint32_t kind)
{
	switch (kind) {
	case REGION_SUMS:
		return sizeof(struct call_sum);
	case REGION_PENDING:
		return sizeof(struct pending_op);
	case REGION_WAITS:
		return sizeof(struct wait_sum);
	default:
		return 0;
	}
}

bool ring_entry_is_used(uint32_t kind, const void *entry)
{
	switch (kind) {
	case REGION_SUMS:
		return ((const struct call_sum *)entry)->callsite != 0;
	case REGION_PENDING:
		return ((const struct pending_op *)entry)->state == PENDING_POSTED;
	case REGION_WAITS:
		return ((const struct wait_sum *)entry)->used != 0;
	default:
		return false;
	}
}

bool ring_region_is_whole(const struct ring_region *r, uint64_t file_bytes)
{
	uint64_t minimum =
		r->kind == REGION_THREAD ? sizeof(struct thread_region) : ring_entry_bytes(r->kind);

	return minimum && r->offset >= RING_HEADER_BYTES && r->offset % 8 == 0 &&
		r->bytes >= minimum && r->bytes <= file_bytes && r->offset <= file_bytes - r->bytes;
}

/*
 * Reads the number, then head, then the records below head. On any processor, each is no older than
 * the one read before.
 */
static int read_thread(
	const struct ring_source *from, const struct ring_region *r, struct thread_region *t)
{
	const size_t ring = offsetof(struct thread_region, ring);
	const size_t part[] = { 0, offsetof(struct thread_region, head), ring };

	for (int i = 0; i < 3; i++) {
		size_t bytes = i < 2 ? part[i + 1] - part[i] : t->head;
		ssize_t n;

		if (i == 2 && t->head > RING_BYTES)
			return -ENODATA;
		n = ring_source_read(from, (char *)t + part[i], bytes, r->offset + part[i]);
		if (n != (ssize_t)bytes)
			return n < 0 ? (int)n : -ENODATA;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	}
	return 0;
}

int ring_copy_thread(
	const struct ring_source *from, const struct ring_region *r, struct thread_region *t)
{
	uint64_t now[2]; /* seq and lap */

	for (int i = 0; i < COPY_TRIES; i++) {
		int rc = read_thread(from, r, t);
		ssize_t n = ring_source_read(
			from, now, sizeof(now), r->offset + offsetof(struct thread_region, seq));

		if (n != sizeof(now))
			return n < 0 ? (int)n : -ENODATA;
		if (now[0] == t->seq && now[1] == t->lap)
			return rc;
	}
	return -EAGAIN;
}

int ring_give_records(uint8_t *records, size_t from, size_t bytes, uint32_t thread, uint64_t *bad,
	ring_visit *visit, void *context)
{
	for (size_t at = from; at < bytes;) {
		const struct rec_head *head = (const void *)(records + at);
		size_t length = bytes - at < sizeof(*head) ? 0 : head->words * (size_t)8;
		bool refers;
		struct rec_op2 again;

		/* without a length, records behind it cannot be found */
		if (length == 0 || length > bytes - at) {
			++*bad;
			return 0;
		}
		refers = record_refers(head->type);
		if (head->type == REC_NONE) {
			at += length;
			continue;
		}
		if (record_is_whole(records + at, length) &&
			(!refers || record_again(records, at, &again))) {
			int rc = visit(context, thread, refers ? (const void *)&again : head);

			if (rc)
				return rc;
		} else {
			++*bad;
		}
		at += length;
	}
	return 0;
}
