/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_read.c: checks regions, copies threads, and finds the records of a ring (ring_read.h). */
#include "analysis/format/run/ring_read.h"

#include <errno.h>

#include "analysis/base/file.h"
#include "analysis/format/run/record_shape.h"

enum { COPY_TRIES = 100 }; /* of a ring that is being written */

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
static int read_thread(int fd, const struct ring_region *r, struct thread_region *t)
{
	const size_t ring = offsetof(struct thread_region, ring);
	const size_t part[] = { 0, offsetof(struct thread_region, head), ring };

	for (int i = 0; i < 3; i++) {
		size_t bytes = i < 2 ? part[i + 1] - part[i] : t->head;
		ssize_t n;

		if (i == 2 && t->head > RING_BYTES)
			return -ENODATA;
		n = file_read(fd, (char *)t + part[i], bytes, r->offset + part[i]);
		if (n != (ssize_t)bytes)
			return n < 0 ? (int)n : -ENODATA;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	}
	return 0;
}

int ring_copy_thread(int fd, const struct ring_region *r, struct thread_region *t)
{
	uint64_t now[2]; /* seq and lap */

	for (int i = 0; i < COPY_TRIES; i++) {
		int rc = read_thread(fd, r, t);
		ssize_t n = file_read(
			fd, now, sizeof(now), r->offset + offsetof(struct thread_region, seq));

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
