/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log.h: records of many lanes, each lane's in order of time, in a temporary file without a name.
 *
 *	lane 0   | block | block | tail        full blocks lie in the file in the order in which
 *	lane 1   | block | tail                they filled; an entry in memory says where each is
 *
 * So any number of records takes little memory, and a lane's records are read backwards, a block at
 * a time. Written records never change, so several readers can read at the same time.
 */
#ifndef TRYST_BLAME_LOG_H
#define TRYST_BLAME_LOG_H

#include <stdint.h>

struct log_block {
	int64_t first;  /* time of its first record */
	uint32_t mark;  /* a value from the writer */
	uint64_t index; /* in the file */
};

struct lane_log {
	struct log_block *block; /* full ones, in order */
	uint32_t nblocks, room;
	uint8_t *tail; /* the block that is being filled */
	uint32_t ntail;
	struct log_block tail_is; /* first and mark of the tail */
};

struct lane_logs {
	struct lane_log *at;
	uint32_t n;
	uint32_t record_bytes;
	uint32_t block;  /* records */
	uint64_t blocks; /* in the file */
	int fd;
	int error; /* errno of the first failure, negative */
};

/* A reader's memory: for each lane two neighbouring blocks, so that it can go back and forth. */
struct lane_logs_view {
	const struct lane_logs *logs;
	struct log_cache {
		uint8_t *record;
		uint32_t number; /* of the block, + 1 */
	} (*lane)[2];
	int error;
};

/*
 * memory: for the blocks being filled, of `lanes` lanes [bytes]; a view takes twice that.
 * `near`: path of a file; the temporary one is made beside it, or in TMPDIR. 0 or -errno.
 */
int lane_logs_init(struct lane_logs *s, uint32_t record_bytes, uint64_t memory, uint32_t lanes,
	const char *near);
void lane_logs_release(struct lane_logs *s);

/* Appends a record, whose time is no earlier than that of the lane's last one. */
void lane_logs_add(
	struct lane_logs *s, uint32_t lane, int64_t at, uint32_t mark, const void *record);

/* Call it once all records are written. 0 or -ENOMEM. */
int lane_logs_view(const struct lane_logs *s, struct lane_logs_view *out);
void lane_logs_view_release(struct lane_logs_view *v);

/* The number of the lane's blocks, with the tail. */
uint32_t lane_logs_blocks(const struct lane_logs *s, uint32_t lane);

/* A block's first time and mark. */
const struct log_block *lane_logs_entry(const struct lane_logs *s, uint32_t lane, uint32_t number);

/* The lane's last block that begins before `ns`, else its first one. The lane must have blocks. */
uint32_t lane_logs_find(const struct lane_logs_view *v, uint32_t lane, int64_t ns);

/*
 * The records of a block, and their number; valid until two other blocks of the lane were read.
 * NULL: see v->error.
 */
const void *lane_logs_read(struct lane_logs_view *v, uint32_t lane, uint32_t number, uint32_t *n);

#endif
