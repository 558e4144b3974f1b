/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h: the state of each thread that calls MPI.
 *
 * All data on a wrapper's fast path is here or in the thread's mapped region, so that threads share
 * nothing in steady state.
 */
#ifndef TRYST_RECORD_THREAD_H
#define TRYST_RECORD_THREAD_H

#include "pmpi/callsite/callsite.h"
#include "pmpi/record/clock.h"
#include "pmpi/record/ring.h"
#include "pmpi/record/shim.h"

struct comm;
struct object;

enum {
	COMM_CACHE = 8,
	TYPE_CACHE = 16,
	PROBES = 8,
	SHAPES = 128,
	ANNOUNCED_KEPT = 8,
	PHASES_OPEN = 64,
	SUM_BLOCK = 256,   /* call sums in one region */
	SUM_SITES = 66048, /* callsites have smaller ids; behind them, one for each function */
	SUM_IDS = SUM_SITES + 1024,
	SUM_BLOCKS = SUM_IDS / SUM_BLOCK
};

/* Memory for completion calls over many requests. */
enum scratch { SCRATCH_HANDLES, SCRATCH_SHARES, SCRATCH_COUNT };

struct comm_cached {
	uintptr_t handle;
	uint64_t generation;
	struct comm *comm;
};

struct type_cached {
	uintptr_t handle;
	uint64_t generation;
	uint64_t bytes; /* of one element */
	bool strided;
};

/* A phase that the program has begun. */
struct phase_open {
	uint32_t number;
	int32_t level;
};

enum object_kind { OBJECT_WINDOW, OBJECT_FILE, OBJECT_KINDS };

/* The window or file that this thread used last. */
struct object_cached {
	uintptr_t handle;
	uint64_t generation;
	struct object *object;
};

/*
 * An op that may be repeated: its arguments, and the state of its last occurrence (call/repeat.h).
 */
struct repeat {
	uint64_t now;     /* valid while shapes_now() has this value */
	uint64_t site_fn; /* callsite, FN_* */
	uint64_t rank_tag;
	uint64_t count;
	uintptr_t type;
	uintptr_t comm;
	uint64_t op_id;
	uint64_t enter_ticks;
	uint64_t bytes; /* of the message */
	/* an op complete when its call returns has waited if the call took longer [ticks] */
	uint64_t patience;
	struct call_mark mark;
	uint16_t flags; /* OP_* */
	/* where in the ring its struct rec_op begins [8 bytes]; SHAPE_NO_RECORD */
	uint16_t like;
	uint16_t like2; /* the same of the last struct rec_op2 of an op that was pending */
	uint8_t tier;
	uint64_t terms_bytes;
	/* the terms of its prediction if it is pending and has terms_bytes bytes */
	struct live_terms terms;
};

/* Changes with comm_generation, with type_generation, and with predictions (call/repeat.h). */
extern uint64_t repeat_generation;

/* A message that a blocking probe or polling has found, and that a receive will take. */
struct probed {
	uint32_t comm; /* its number, which is never used again; COMM_NONE: free */
	int source;    /* rank in comm */
	int tag;
	uint64_t enter_ticks; /* of the blocking probe; 0: none */
	uint64_t blocked_ticks;
	uint64_t poll_ticks;
};

/* A receive of a long message that was announced before it was called (observe.h). */
struct announced {
	uint64_t bytes;
	uint64_t took_ticks;
	uint16_t flags; /* OP_* */
	uint8_t link;
};

/* Unsuccessful probing for one envelope. */
struct probe_poll {
	uintptr_t comm;
	int source;
	int tag;
	uint64_t first_ticks; /* 0: not polling */
	uint64_t last_ticks;
};

struct thread {
	uintptr_t guard; /* frame of the wrapper this thread is in; 0: outside */
	bool in_mpi;     /* and it is in the library's function; else in our own code */
	struct thread_region *region;
	uint64_t head;  /* = region->head */
	uint64_t limit; /* the ring is full when head reaches it */
	/* rows below it stay in the ring, since the spool could not take them */
	uint64_t kept;
	bool was_last;         /* the ring was handed over whole after the disk was full */
	uint64_t nested_ticks; /* counted calls inside the current one */
	struct call_sum *sum;  /* of the last call: chunk writes are charged to it */
	uint64_t shapes_epoch; /* changes when records leave the ring */
	uint32_t in_ring[TABLE_COUNT];
	struct comm_cached comms[COMM_CACHE];
	struct type_cached types[TYPE_CACHE];
	struct object_cached objects[OBJECT_KINDS];
	struct callsite_cache *callsites;
	struct call_sum *sums[SUM_BLOCKS];
	struct probed probes[PROBES]; /* by plain probes; of matched ones: call/op.c */
	unsigned next_probe;
	bool open_probes; /* a probed message may wait for its receive */
	struct probe_poll poll;
	struct announced announced[ANNOUNCED_KEPT];
	unsigned nannounced;
	struct phase_open phase[PHASES_OPEN];
	uint32_t nphases; /* open ones; those beyond PHASES_OPEN are only counted */
	void *scratch[SCRATCH_COUNT];
	size_t scratch_bytes[SCRATCH_COUNT];
	/* Samples of what it computes (sample/sample.h). */
	const uint64_t *sample_head; /* of the kernel's page, or one of the two below; never NULL */
	uint64_t sample_seen;        /* *sample_head, as last seen */
	void *sampler;
	uint32_t busy_site;  /* callsite of the last call that may have moved messages */
	struct thread *next; /* all threads; free ones are used again */
	bool idle;           /* its system thread has ended */
	struct repeat shapes[SHAPES];
};

extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* sample_head points here if a thread has no samples, or if that is not yet known. */
extern const uint64_t sample_nothing;
extern const uint64_t sample_unknown;

/*
 * The state of this thread, made at its first call. NULL: not recorded (no room; printed once).
 */
struct thread *thread_start(void);

/* For a thread made before callsite_start(). Threads made later have their callsites. */
void thread_start_callsites(struct thread *t);

/*
 * Ends the run: shim.started becomes false. Afterwards no thread hands over records, or is still
 * doing so.
 */
void thread_stop(void);

/* The sum of this callsite (0: of this function) on this thread; never NULL. */
struct call_sum *thread_sum_slow(struct thread *t, uint32_t site, unsigned fn);

HOT struct call_sum *thread_sum(struct thread *t, uint32_t site, unsigned fn)
{
	uint32_t id = likely(site > CALLSITE_OTHER) ? site : SUM_SITES + fn;
	struct call_sum *block = t->sums[id / SUM_BLOCK];

	if (likely(block && block[id % SUM_BLOCK].callsite))
		return &block[id % SUM_BLOCK];
	return thread_sum_slow(t, site, fn);
}

/* At least `bytes` of the thread's own memory, with undefined content; NULL: none available. */
void *thread_scratch(struct thread *t, enum scratch which, size_t bytes);

/* All threads, for the end of the run. */
extern struct thread *thread_list;

/* Room for a record of `bytes` (a multiple of 8) in the ring; becomes valid by record_commit(). */
HOT void *record_reserve(struct thread *t, uint32_t bytes)
{
	if (unlikely(t->head + bytes > t->limit))
		ring_flush(t);
	return t->region->ring + t->head;
}

HOT void record_commit(struct thread *t, uint32_t bytes)
{
	t->head += bytes;
	/* Readers trust every byte below head, so head moves last. */
	__atomic_store_n(&t->region->head, t->head, __ATOMIC_RELEASE);
}

/* Append a record made elsewhere; its length is in its head. */
static inline void record_append(struct thread *t, const void *record)
{
	uint32_t bytes = ((const struct rec_head *)record)->words * 8u;

	memcpy(record_reserve(t, bytes), record, bytes);
	record_commit(t, bytes);
}

/* Records a row of table run. */
void record_key(struct thread *t, const char *key, const char *value);
void record_key_number(struct thread *t, const char *key, int64_t value);
/* A record of type REC_COMM_NAME or REC_PHASE-like: an id and a text. */
void record_text(struct thread *t, enum record_type type, uint32_t id, const char *text);

#endif
