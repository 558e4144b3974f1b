/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_read.h: parts of a rank's ring, read from a file that may be damaged, and that its process
 * may be writing.
 *
 * No number of the file is used as an offset, a length or a count before it was compared with the
 * size of the file or the buffer. Everything is read by ring_source_read(), by pread or from a
 * mapping. A mapped file that becomes shorter gives SIGBUS: a handler ends the copy, and the read
 * returns an error.
 */
#ifndef TRYST_FORMAT_RUN_RING_READ_H
#define TRYST_FORMAT_RUN_RING_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record.h"

/* The bytes of a ring. */
struct ring_source {
	int fd;             /* unused if there is a map */
	const uint8_t *map; /* NULL: read by pread */
	uint64_t map_bytes;
};

/*
 * Maps the file at s->fd, which has `bytes`. The descriptor may then be closed. Returns 0 or a
 * negative errno: -EFBIG for files larger than a ring. Installs the handler of SIGBUS. One thread
 * of a process may use maps.
 */
int ring_source_map(struct ring_source *s, uint64_t bytes);

void ring_source_unmap(struct ring_source *s);

/* Returns the bytes read, fewer at the end of the file, or a negative errno. */
ssize_t ring_source_read(const struct ring_source *s, void *to, size_t bytes, uint64_t offset);

/* Does the region lie in a file of `file_bytes`, and can it hold an entry of its kind? */
bool ring_region_is_whole(const struct ring_region *r, uint64_t file_bytes);

/* The size of an entry of a mapped table; 0 for a kind that is no table. */
size_t ring_entry_bytes(uint32_t kind);

/* Is the entry of a mapped table in use? */
bool ring_entry_is_used(uint32_t kind, const void *entry);

/* How far a ring was read. */
struct ring_place {
	uint64_t seq, lap, head;
};

/* Has the ring of *t only got more records since? */
bool ring_goes_on(const struct ring_place *read, const struct thread_region *t);

/*
 * Copies the thread in the region, which is whole: all of it up to its head, in a state that it had
 * at one moment. Bytes of *t beyond the head are not set. With *read, of a ring that goes on,
 * records below read->head are set only if later ones refer to them. Returns 0; -ENODATA if the
 * file has less, or if the head lies outside the ring; -EAGAIN if the ring was begun anew during
 * each of many tries; or another negative errno.
 */
int ring_copy_thread(const struct ring_source *from, const struct ring_region *r,
	const struct ring_place *read, struct thread_region *t);

/* The caller's function. A result other than 0 ends the pass. */
typedef int ring_visit(void *context, uint32_t thread, const struct rec_head *record);

/*
 * Passes the whole records in records[from, bytes) to visit(). The array is a chunk's or a ring's,
 * aligned to 8 bytes, and a record begins at `from`. A record that refers to another one is
 * expanded to its struct rec_op or rec_op2. *bad counts records without the shape of their type.
 * Returns 0 or visit()'s value.
 */
int ring_give_records(uint8_t *records, size_t from, size_t bytes, uint32_t thread, uint64_t *bad,
	ring_visit *visit, void *context);

#endif
