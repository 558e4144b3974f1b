/* SPDX-License-Identifier: BSD-3-Clause */
/* row_limit.c: cells of wait_profile, and the filter for a full ring. */
#include "pmpi/record/row_limit.h"

enum {
	CELLS = 16384, /* a power of two; 1.3 MB */
	CELLS_FULL = CELLS / 4 * 3
};

static struct wait_sum *cells;
static uint64_t cells_offset;
static bool listed; /* readers can find the cells */
static uint32_t used;

static uint64_t cell_hash(const struct wait_sum *k)
{
	uint64_t h = (uint64_t)k->callsite << 32 | (uint32_t)k->peer;

	h ^= ((uint64_t)k->comm << 24 | (uint64_t)k->kind_mode << 16 | (uint64_t)k->class8 << 8 |
		     k->bytes_log2) *
		0x9e3779b97f4a7c15ULL;
	h *= 0xbf58476d1ce4e5b9ULL;
	return h ^ h >> 32;
}

static bool same_key(const struct wait_sum *a, const struct wait_sum *b)
{
	return a->callsite == b->callsite && a->peer == b->peer && a->comm == b->comm &&
		a->call == b->call && a->kind_mode == b->kind_mode && a->class8 == b->class8 &&
		a->bytes_log2 == b->bytes_log2 && a->flags == b->flags;
}

static bool have_cells(void)
{
	if (!cells)
		cells = ring_region(CELLS * sizeof(*cells), &cells_offset);
	return cells != NULL;
}

int row_limit_start(void)
{
	return !ring_can_reserve() || have_cells() ? 0 : -1;
}

static bool list_cells(void)
{
	if (have_cells() && !listed) {
		ring_publish_region(REGION_WAITS, 0, cells_offset, CELLS * sizeof(*cells));
		listed = true;
	}
	return listed;
}

/*
 * A cell's sums are in the spool now. The cell keeps its key, so that cells behind it are still
 * found.
 */
static void empty_cell(struct wait_sum *cell)
{
	cell->count = cell->bytes = 0;
	cell->blocked_ns = cell->predicted_ns = cell->excess_ns = 0;
	cell->wait_ns = cell->max_wait_ns = 0;
}

/*
 * Writes a full table to the spool as partial sums, and empties it. If only a part could be
 * written, the table stays full, and the next call tries again.
 */
static void spill(struct thread *t)
{
	enum { BATCH = 512 };
	static struct {
		struct chunk chunk;
		struct {
			struct rec_head head;
			struct wait_sum sum;
		} sums[BATCH];
	} batch;
	static uint32_t from[BATCH];
	uint32_t n = 0;

	for (uint32_t i = 0; i <= CELLS; i++) {
		if (n == BATCH || (i == CELLS && n > 0)) {
			if (ring_write_sums(t, &batch.chunk, n * sizeof(batch.sums[0])) != 0)
				return;
			while (n > 0)
				empty_cell(&cells[from[--n]]);
		}
		if (i == CELLS || !cells[i].used || cells[i].count == 0)
			continue;
		batch.sums[n].head = (struct rec_head){ .type = REC_WAIT_SUM,
			.words = sizeof(batch.sums[0]) / 8 };
		batch.sums[n].sum = cells[i];
		from[n++] = i;
	}
	memset(cells, 0, CELLS * sizeof(*cells));
	used = 0;
}

/* The cell of this key, claimed if it is new. NULL: none is free, and none could be written. */
static struct wait_sum *cell_of(const struct wait_sum *key)
{
	uint64_t at = cell_hash(key);

	for (;; at++) {
		struct wait_sum *cell = &cells[at & (CELLS - 1)];

		if (!cell->used) {
			if (used >= CELLS_FULL)
				return NULL;
			used++;
			*cell = *key;
			cell->count = 0;
			__atomic_store_n(&cell->used, 1, __ATOMIC_RELEASE);
			return cell;
		}
		if (same_key(cell, key))
			return cell;
	}
}

/* The cell of ops that differ in number, times and waits only. NULL: no cell is free. */
static struct wait_sum *cell_of_op(const struct rec_op *r)
{
	const struct wait_sum key = { .callsite = r->callsite,
		.peer = r->peer,
		.comm = r->comm,
		.call = r->call,
		.kind_mode = r->kind_mode,
		.class8 = r->class8,
		.flags = r->flags & (OP_PROC_NULL | OP_COMM_PEER),
		.bytes_log2 = r->bytes ? (uint8_t)(64 - __builtin_clzll(r->bytes)) : 0 };

	return listed ? cell_of(&key) : NULL;
}

/* Adds one op that blocked for `ticks`: computes what the hot path had left out. */
static void fold_op(struct wait_sum *cell, const struct rec_op *r, uint64_t ticks)
{
	const bool predicted = !(r->flags & OP_NO_PREDICTION);
	int64_t blocked = clock_ns(ticks), excess = predicted ? blocked - r->predicted_ns : 0;
	int64_t wait = r->flags & OP_WAITED ? excess : 0;

	if (!cell) {
		ring_count_loss(&ring_file->dropped_other);
		return;
	}
	/* The first message of a pair may also set up the connection. */
	if (r->flags & OP_FIRST || !predicted || wait < 0)
		wait = 0;
	cell->count++;
	cell->bytes += r->bytes;
	cell->blocked_ns += blocked;
	cell->predicted_ns += predicted ? r->predicted_ns : 0;
	cell->excess_ns += excess;
	cell->wait_ns += wait;
	if (wait > cell->max_wait_ns)
		cell->max_wait_ns = wait;
}

/* The table to which a record is a row; -1: it is a definition. */
static int table_of(uint8_t type)
{
	switch (type) {
	case REC_OP:
	case REC_OP2:
	case REC_AGAIN:
	case REC_OP2_AGAIN:
		return TABLE_OP;
	case REC_BUSY:
		return TABLE_BUSY;
	case REC_COLLECTIVE:
	case REC_COLLECTIVE2:
		return TABLE_COLLECTIVE;
	case REC_RMA:
	case REC_RMA2:
		return TABLE_RMA;
	case REC_IO:
	case REC_IO2:
		return TABLE_IO;
	case REC_SAMPLE:
	case REC_OFF_CPU:
		return TABLE_SAMPLE;
	default:
		return -1;
	}
}

/* rec_op and its variants have their length where rec_head has it. */
static uint64_t length_of(const uint8_t *record)
{
	uint16_t words;

	memcpy(&words, &((const struct rec_head *)(const void *)record)->words, sizeof(words));
	return words * 8u;
}

static uint64_t blocked_ticks(const struct rec_op *r)
{
	return r->type == REC_OP2 ? ((const struct rec_op2 *)r)->blocked_ticks :
				    r->leave_ticks - r->enter_ticks;
}

/*
 * Adds the ops in [from, bytes), without the first `first` of them, to sums. All must still be in
 * the ring, since some refer to others.
 */
static void fold_ops(const uint8_t *ring, uint64_t from, uint64_t bytes, uint64_t first)
{
	const struct rec_op *like = NULL; /* whose cell it is */
	struct wait_sum *cell = NULL;

	for (uint64_t at = from; at < bytes; at += length_of(ring + at)) {
		const struct rec_op *r = (const void *)(ring + at), *of = r;
		struct rec_op2 whole;

		if (table_of(r->type) != TABLE_OP)
			continue;
		if (first > 0) {
			first--;
			continue;
		}
		if (record_refers(r->type) && record_again(ring, at, &whole)) {
			of = (const void *)(ring + ((const struct rec_again *)r)->like * 8u);
			r = &whole.op;
		}
		if (of != like)
			cell = cell_of_op(of);
		like = of;
		fold_op(cell, r, blocked_ticks(r));
	}
}

uint64_t row_limit_apply(struct thread *t, const uint64_t room[TABLE_COUNT])
{
	/* new places of records that others refer to [8 bytes]; under the spool's lock */
	static uint16_t moved[RING_BYTES / 8];
	uint64_t *dropped[TABLE_COUNT] = { &ring_file->dropped_ops, &ring_file->dropped_busy,
		&ring_file->dropped_collective, &ring_file->dropped_rma, &ring_file->dropped_io,
		&ring_file->dropped_samples };
	uint8_t *ring = t->region->ring;
	uint64_t seen[TABLE_COUNT] = { 0 }, lost[TABLE_COUNT] = { 0 }, kept = t->kept, bytes;

	/* The most ops that one ring holds. */
	if (list_cells() && used + RING_BYTES / sizeof(struct rec_again) > CELLS_FULL)
		spill(t);
	fold_ops(ring, t->kept, t->head, room[TABLE_OP]);
	for (uint64_t at = t->kept; at < t->head; at += bytes) {
		struct rec_again *r = (void *)(ring + at);
		int table = table_of(r->type);

		bytes = length_of(ring + at);
		if (table >= 0 && seen[table]++ >= room[table]) {
			t->in_ring[table]--;
			lost[table]++;
			continue;
		}
		moved[at / 8] = (uint16_t)(kept / 8);
		if (record_refers(r->type))
			r->like = moved[r->like];
		memmove(ring + kept, ring + at, bytes);
		kept += bytes;
	}
	for (int i = 0; i < TABLE_COUNT; i++)
		ring_count_losses(dropped[i], lost[i]);
	return kept;
}
