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

bool ring_goes_on(const struct ring_place *read, const struct thread_region *t)
{
	return read->seq == t->seq && read->lap == t->lap && read->head <= t->head &&
		read->head % 8 == 0;
}

/* The bytes [at, end) of a thread. Returns 0 or a negative errno. */
static int read_part(const struct ring_source *from, const struct ring_region *r,
	struct thread_region *t, size_t at, size_t end)
{
	ssize_t n = ring_source_read(from, (char *)t + at, end - at, r->offset + at);

	return n == (ssize_t)(end - at) ? 0 : n < 0 ? (int)n : -ENODATA;
}

/* The records below `begin` to which records from there on refer, each once. */
static int read_referred(const struct ring_source *from, const struct ring_region *r,
	struct thread_region *t, size_t begin)
{
	const size_t ring = offsetof(struct thread_region, ring);
	uint64_t done[RING_BYTES / 8 / 64 + 1] = { 0 };
	const struct rec_again *again;
	int rc = 0;

	for (size_t at = begin; !rc && at + sizeof(*again) <= t->head; at += again->words * 8U) {
		size_t like, bytes;

		again = (const void *)(t->ring + at);
		like = again->like * (size_t)8;
		bytes = again->type == REC_AGAIN ? sizeof(struct rec_op) : sizeof(struct rec_op2);
		if (again->words == 0)
			break;
		if (!record_refers(again->type) || like >= begin ||
			done[like / 512] & 1ULL << like / 8 % 64)
			continue;
		done[like / 512] |= 1ULL << like / 8 % 64;
		bytes = bytes < begin - like ? bytes : begin - like;
		rc = read_part(from, r, t, ring + like, ring + like + bytes);
	}
	return rc;
}

/*
 * Reads the number, then head, then the records below head. On any processor, each is no older than
 * the one read before.
 */
static int read_thread(const struct ring_source *from, const struct ring_region *r,
	const struct ring_place *read, struct thread_region *t)
{
	const size_t head = offsetof(struct thread_region, head);
	const size_t ring = offsetof(struct thread_region, ring);
	size_t begin;
	int rc = read_part(from, r, t, 0, head);

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!rc)
		rc = read_part(from, r, t, head, ring);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!rc && t->head > RING_BYTES)
		rc = -ENODATA;
	if (rc)
		return rc;
	begin = read && ring_goes_on(read, t) ? read->head : 0;
	rc = read_part(from, r, t, ring + begin, ring + t->head);
	if (!rc && begin)
		rc = read_referred(from, r, t, begin);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return rc;
}

int ring_copy_thread(const struct ring_source *from, const struct ring_region *r,
	const struct ring_place *read, struct thread_region *t)
{
	uint64_t now[2]; /* seq and lap */

	for (int i = 0; i < COPY_TRIES; i++) {
		int rc = read_thread(from, r, read, t);
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
