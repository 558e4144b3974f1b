/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h: the layout of the files that a rank writes while it runs.
 *
 * The shim (pmpi/) writes it, analysis/format reads it; nothing else knows the bytes.
 * Two files a rank, in the run's directory:
 *
 *   rank-000003.ring    mapped, shared, reserved with posix_fallocate; what was stored here
 *                       outlives the process:
 *       +--------------------+ 0
 *       | struct ring_file   | who writes, in which state; directory of the regions below
 *       +--------------------+ RING_HEADER_BYTES
 *       | region             | one of enum region_kind, page aligned, never moved or freed
 *       +--------------------+
 *       | region ...         | appended as the run needs them
 *       +--------------------+
 *
 *   rank-000003.spool   appended with one write() a chunk:
 *       +--------------------+
 *       | struct spool_file  |
 *       +--------------------+
 *       | struct chunk, then `bytes` of records of one thread | repeated
 *       +--------------------+
 *
 * All records pass through the ring of the thread that made them, in order. This includes
 * definitions of callsites, modules, communicators and link parameters. A full ring becomes a
 * chunk. So the stream of a thread is its chunks by `seq`, then its ring, unless that has become a
 * chunk. The thread that first needs a definition makes it. Another thread may use it in a chunk
 * that comes earlier in the file, so read all definitions before resolving ids.
 *
 * Native byte order and alignment; a file is read on the machine type that wrote it, and refused
 * elsewhere by RING_MAGIC. All times are clock ticks (TSC or ns, absolute; ns_per_tick and
 * REC_CLOCK convert).
 */
#ifndef TRYST_RECORD_H
#define TRYST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fnv.h"
#include "layouts.h"

#define RING_MAGIC 0x5452595354524e47ULL  /* "TRYSTRNG" */
#define SPOOL_MAGIC 0x545259535453504cULL /* "TRYSTSPL" */
#define CHUNK_MAGIC 0x4b4e4843U           /* "CHNK" */
#define RECORD_VERSION 9
#define RING_HEADER_BYTES 65536
#define RING_REGIONS_MAX 1024
#define CHUNK_BYTES 65536 /* a full chunk: 20 us of write() at most */
#define RING_SPARE 16384  /* for definitions, once no chunk can be written */
#define RING_BYTES 81896  /* the records of a chunk, and the spare room */

enum ring_state {
	RING_OPEN = 1,   /* the program runs, or died: see pid, boot_id, start_time */
	RING_CLOSED = 2, /* MPI_Finalize returned; may be consumed */
	RING_STOPPED = 3 /* recording was given up (disk full, ...), the program may run */
};

enum region_kind {
	REGION_NONE,
	REGION_THREAD,  /* struct thread_region: ring and live state of one thread */
	REGION_SUMS,    /* struct call_sum[]: time by call and callsite of one thread */
	REGION_PENDING, /* struct pending_op[]: posted, not completed */
	REGION_WAITS    /* struct wait_sum[]: sums of ops beyond the row limit */
};

struct ring_region {
	uint32_t kind;   /* stored last: readers skip REGION_NONE */
	uint32_t thread; /* REGION_THREAD, REGION_SUMS: whose */
	uint64_t offset; /* from the start of the file [bytes] */
	uint64_t bytes;
};

struct ring_file {
	uint64_t magic;
	uint32_t version;
	uint32_t state;  /* enum ring_state */
	uint64_t run_id; /* the same in all ranks' files */
	int32_t rank;    /* in MPI_COMM_WORLD */
	int32_t world;   /* number of the world; 0: the first */
	int64_t pid;
	uint64_t start_time; /* field 22 of /proc/self/stat */
	char boot_id[40];    /* /proc/sys/kernel/random/boot_id */
	char host[64];
	uint64_t zero_ticks;  /* clock at the end of MPI_Init: the time 0 of all rows */
	double ns_per_tick;   /* best known so far; REC_CLOCK records refine it */
	uint64_t ops;         /* op ids given so far */
	uint64_t dropped_ops; /* op rows not recorded: beyond TRYST_MAX_OPS, or no room */
	uint64_t dropped_busy;
	uint64_t dropped_collective;
	uint64_t dropped_rma;
	uint64_t dropped_io;
	uint64_t dropped_other;      /* callsites, communicators, ... */
	uint64_t lost_bytes;         /* chunks that could not be written */
	int32_t lost_errno;          /* why */
	uint32_t nregions;           /* entries of regions[] in use; moved last */
	uint64_t calls_outside_main; /* reserved */
	uint64_t functions_hash;     /* of the names behind FN_*: function_names_hash() */
	uint64_t pid_namespace;      /* inode of /proc/self/ns/pid; 0: unknown */
	/* clock when exit() was called without MPI_Finalize; 0: it was not */
	uint64_t exit_ticks;
	uint64_t dropped_samples; /* records of samples and of times without a CPU */
	uint64_t reserved[12];
	struct ring_region regions[RING_REGIONS_MAX];
};

struct spool_file {
	uint64_t magic;
	uint32_t version;
	int32_t rank;
	uint64_t run_id;
};

struct chunk {
	uint32_t magic; /* CHUNK_MAGIC */
	uint32_t bytes; /* of records behind this header, multiple of 8 */
	uint64_t seq;   /* 0, 1, ... for each thread */
	uint32_t thread;
	uint32_t check; /* record_check() of the records */
};

/* The checksum of a chunk: four FNV-1a lanes over its 64-bit words, folded to 32 bits. */
static inline uint32_t record_check(const void *data, uint32_t bytes)
{
	const uint64_t *word = data;
	uint64_t a = FNV_START, b = a ^ 1, c = a ^ 2, d = a ^ 3;
	uint32_t i, n = bytes / 8;

	/* independent lanes: a multiplication takes longer than the load of a word */
	for (i = 0; i + 4 <= n; i += 4) {
		a = (a ^ word[i]) * FNV_PRIME;
		b = (b ^ word[i + 1]) * FNV_PRIME;
		c = (c ^ word[i + 2]) * FNV_PRIME;
		d = (d ^ word[i + 3]) * FNV_PRIME;
	}
	for (; i < n; i++)
		a = (a ^ word[i]) * FNV_PRIME;
	a = (a ^ b >> 17 ^ c >> 31 ^ d >> 47) * FNV_PRIME + b + c + d;
	return (uint32_t)(a ^ (a >> 32));
}

enum mark_flag { MARK_PROBE, MARK_COLLECTIVE };

/*
 * The peer of a call whose rank its communicator does not have: below -1.
 */
#define PEER_NOT_THERE(rank) (-1 - (rank))
#define PEER_NEGATIVE INT32_MIN /* the same for a negative rank without a meaning */

/*
 * The call that a thread is in. It is written before each call, and shows where a rank hangs or
 * dies in MPI. `call` is stored last at entry and cleared first at return.
 */
struct current_call {
	uint32_t call; /* FN_*; 0: outside MPI */
	uint32_t callsite;
	uint64_t enter_ticks;
	uint64_t op_id;         /* op in flight in this blocking call, valid if kind_mode */
	struct call_mark {      /* what is known of that op before the call */
		uint64_t bytes; /* MARK_COLLECTIVE: its number in comm */
		/* world rank, -1: none, PEER_NOT_THERE() or PEER_NEGATIVE */
		int32_t peer;
		int32_t tag;
		uint32_t comm;
		uint8_t kind_mode; /* KIND_MODE(); 0: the call is no op */
		uint8_t flags8;    /* low byte of the op's OP_* flags; else enum mark_flag */
		/* no op: the probe that waits for this, or the collective */
		uint16_t call;
	} mark;
};

struct thread_region {
	uint32_t thread; /* 0: the first thread that called MPI */
	uint32_t ended;
	uint64_t seq;              /* of the chunk that this ring will become */
	uint64_t lap;              /* counts up before the ring is overwritten */
	uint64_t head;             /* bytes of ring[] that hold whole records; moved last */
	uint64_t busy_enter_ticks; /* the open busy interval, not yet a record; 0: none */
	uint64_t busy_leave_ticks;
	/* our own time, where it was measured (chunk writes, ...) */
	uint64_t tool_ticks;
	struct current_call now;
	uint64_t reserved[8];
	struct chunk chunk; /* that this ring becomes: written with it */
	_Alignas(64) uint8_t ring[RING_BYTES];
};

/* Time by call and callsite. The sum over all is the time in MPI. */
struct call_sum {
	uint32_t callsite; /* 0: slot not used; CALLSITE_OTHER: table full */
	uint32_t call;     /* FN_* */
	uint64_t count;
	uint64_t bytes; /* payload posted (sends and receives) or contributed */
	uint64_t ticks;
	uint64_t max_ticks;
	/* chunk writes and new callsites that these calls paid for */
	uint64_t tool_ticks;
	/* of `count`: those that returned something else than MPI_SUCCESS */
	uint64_t errors;
};

enum { CALLSITE_OTHER = 1 }; /* ids of callsites begin at 2 */

/* kind_mode of an op: never 0 */
enum op_kind { KIND_SEND = 1, KIND_RECV = 2, KIND_TRANSFER = 3 };
enum op_mode { MODE_STANDARD, MODE_BUFFERED, MODE_SYNCHRONOUS, MODE_READY };
enum op_form { FORM_BLOCKING, FORM_NONBLOCKING, FORM_PERSISTENT, FORM_PARTITIONED };
#define KIND_MODE(kind, mode, form)                                                                \
	((uint8_t)((kind) << KIND_MODE_KIND_AT | (mode) << KIND_MODE_MODE_AT |                     \
		(form) << KIND_MODE_FORM_AT))
#define KIND_MODE_RMA KIND_MODE(KIND_TRANSFER, 0, FORM_NONBLOCKING) /* pending ones alone */
#define KIND_MODE_IO KIND_MODE(KIND_TRANSFER, 1, FORM_NONBLOCKING)
#define KM_KIND(km) ((enum op_kind)kind_mode_kind(km))
#define KM_MODE(km) ((enum op_mode)kind_mode_mode(km))
#define KM_FORM(km) ((enum op_form)kind_mode_form(km))

enum op_protocol { PROTOCOL_NONE, PROTOCOL_SHORT, PROTOCOL_EAGER, PROTOCOL_RENDEZVOUS };

enum op_cause {
	CAUSE_NONE,
	CAUSE_LATE_SENDER,
	CAUSE_LATE_RECEIVER,
	CAUSE_LATE_PROGRESS,
	CAUSE_WRONG_ORDER,
	CAUSE_FLOW_CONTROL,
	CAUSE_CONTENTION,
	CAUSE_UNHIDDEN_TRANSFER,
	CAUSE_COLLECTIVE_SKEW,
	CAUSE_UNEXPLAINED,
	CAUSE_NO_CPU /* found by the analysis alone: match/no_cpu.h */
};

/* protocol and live cause hint of an op in one byte */
#define OP_CLASS(protocol, cause)                                                                  \
	((uint8_t)((protocol) << OP_CLASS_PROTOCOL_AT | (cause) << OP_CLASS_CAUSE_AT))

enum record_type {
	REC_NONE,         /* struct rec_head: fills up a chunk */
	REC_OP,           /* struct rec_op: complete when its post call returned */
	REC_OP2,          /* struct rec_op2: anything else */
	REC_COLLECTIVE,   /* struct rec_collective */
	REC_COLLECTIVE2,  /* struct rec_collective2: nonblocking or persistent */
	REC_BUSY,         /* struct rec_busy */
	REC_RMA,          /* struct rec_transfer */
	REC_IO,           /* struct rec_transfer */
	REC_KEY,          /* struct rec_text: "key\0value\0" for table run */
	REC_MODULE,       /* struct rec_module */
	REC_CALLSITE,     /* struct rec_callsite */
	REC_COMM,         /* struct rec_comm */
	REC_COMM_NAME,    /* struct rec_text, id: the communicator; "name\0" */
	REC_LINK,         /* struct rec_link */
	REC_CLOCK,        /* struct rec_clock */
	REC_CLOCK_OFFSET, /* struct rec_clock_offset */
	REC_WAIT_SUM,     /* struct wait_sum behind the head: flushed partial sum */
	REC_CALL_SUM,     /* struct call_sum behind the head: flushed partial sum */
	REC_PENDING,      /* struct pending_op behind the head: still pending at the end */
	REC_PHASE,        /* struct rec_phase */
	REC_WINDOW,       /* struct rec_object */
	REC_FILE,         /* struct rec_object */
	REC_WINDOW_NAME,  /* struct rec_text, id: the window; "name\0" */
	REC_RMA2,         /* struct rec_transfer2: under a request */
	REC_IO2,          /* struct rec_transfer2: under a request */
	/* struct rec_again: a REC_OP that differs in number, times and its wait */
	REC_AGAIN,
	REC_OP2_AGAIN, /* struct rec_op2_again: a REC_OP2 that differs in these and its wait */
	REC_SAMPLE,    /* struct rec_sample */
	REC_OFF_CPU    /* struct rec_off_cpu */
};

/* Every record begins so; `words` is its whole length in units of 8 bytes. */
struct rec_head {
	uint8_t type; /* enum record_type */
	uint8_t pad;
	uint16_t words;
	uint32_t id; /* by type: communicator, callsite, module, ... */
};

struct rec_op {
	uint8_t type;
	uint8_t kind_mode; /* KIND_MODE() */
	uint16_t words;
	uint16_t call;  /* FN_* of the post call */
	uint16_t flags; /* OP_* */
	/* 1, 2, ... by post, one counter a rank; OP_MPROBE: by the probe's success */
	uint64_t op_id;
	uint64_t enter_ticks; /* post call */
	uint64_t leave_ticks;
	uint64_t bytes; /* of the message where known, else of the buffer posted */
	/* rank in MPI_COMM_WORLD (OP_COMM_PEER: of the comm's remote world), -1: none */
	int32_t peer;
	int32_t tag;
	uint32_t comm;
	uint32_t callsite;
	int32_t predicted_ns; /* INT32_MAX: at least that; meaningless with OP_NO_PREDICTION */
	uint8_t class8;       /* OP_CLASS() as live; the same pure function gives it offline */
	/* link to the peer: enum link_tier, or a number beyond; TIER_NONE */
	uint8_t tier;
	uint16_t pad;
};

/*
 * A struct rec_op that equals an earlier one of its chunk (or ring) except for number, times and
 * wait. It refers backwards within its chunk, so that each chunk can be read alone. record_again()
 * makes the full record. An op that does not fit these fields gets a struct rec_op.
 */
struct rec_again {
	uint8_t type;
	uint8_t waited; /* OP_WAITED, the one flag that may differ */
	uint16_t words;
	uint16_t like;       /* where in the chunk that struct rec_op begins [8 bytes] */
	uint16_t op_id_more; /* op_id less that record's */
	uint32_t enter_more; /* enter_ticks less that record's */
	uint32_t took_ticks; /* leave_ticks less enter_ticks */
};

struct rec_op2 {
	struct rec_op op;
	uint16_t complete_call; /* FN_*; equals op.call in Sendrecv, and after a probe */
	uint16_t pad;
	uint32_t complete_callsite;
	uint64_t complete_enter_ticks;
	uint64_t complete_leave_ticks;
	/* this op's share of the completion call (and of its probe) */
	uint64_t blocked_ticks;
	uint64_t poll_ticks;
};

/* The same for a struct rec_op2 that was not polled for. */
struct rec_op2_again {
	uint8_t type;
	uint8_t waited; /* as above */
	uint16_t words;
	/* where in the chunk that struct rec_op2 begins [8 bytes] */
	uint16_t like;
	uint16_t op_id_more;
	uint32_t enter_more;
	uint32_t took_ticks;    /* the post */
	uint32_t complete_more; /* complete_enter_ticks less the post's enter_ticks */
	uint32_t complete_took_ticks;
	uint32_t blocked_ticks;
	int32_t predicted_ns;
};

struct rec_collective {
	uint8_t type;
	uint8_t pad;
	uint16_t words;
	uint16_t call;
	uint16_t flags; /* reserved */
	uint64_t seq;   /* 0, 1, ... on each communicator: equal on all members */
	uint64_t enter_ticks;
	uint64_t leave_ticks;
	uint64_t sent_bytes;
	uint64_t recv_bytes;
	int32_t root; /* -1: none */
	uint32_t comm;
	uint32_t callsite;
	uint32_t pad2;
};

struct rec_collective2 {
	struct rec_collective coll;
	uint16_t complete_call;
	uint16_t pad;
	uint32_t complete_callsite;
	uint64_t complete_enter_ticks;
	uint64_t complete_leave_ticks;
	uint64_t blocked_ticks;
};

struct rec_busy {
	struct rec_head head;
	uint64_t enter_ticks;
	uint64_t leave_ticks;
};

/* one-sided and file operations */
struct rec_transfer {
	uint8_t type; /* REC_RMA, REC_IO */
	uint8_t pad;
	uint16_t words;
	uint16_t call;
	uint16_t flags;
	uint64_t enter_ticks;
	uint64_t leave_ticks;
	uint64_t bytes;
	uint32_t object; /* number of the window or file, from 1; 0: none */
	/* of collective calls on it, equal on all members; TRANSFER_ALONE */
	uint32_t seq;
	int32_t peer; /* -1: none */
	uint32_t callsite;
};

#define TRANSFER_ALONE UINT32_MAX /* not a collective call */

struct rec_transfer2 {
	struct rec_transfer transfer;
	uint16_t complete_call;
	uint16_t pad;
	uint32_t complete_callsite;
	uint64_t complete_enter_ticks;
	uint64_t complete_leave_ticks;
	uint64_t blocked_ticks;
};

struct rec_text {
	struct rec_head head;
	char text[]; /* NUL-terminated strings, padded with NUL to 8 bytes */
};

struct rec_module {
	struct rec_head head; /* id: module number, from 1 */
	uint64_t base;        /* load address */
	uint8_t build_id_bytes;
	uint8_t build_id[23];
	char path[]; /* NUL-terminated, padded */
};

struct callsite_frame {
	uint32_t module; /* 0: unknown, offset is the address */
	uint32_t pad;
	uint64_t offset; /* of the return address from the module's base */
};

struct rec_callsite {
	struct rec_head head; /* id: callsite */
	uint32_t call;        /* FN_* */
	uint32_t nframes;
	struct callsite_frame frames[]; /* 0: the first outside MPI's own libraries */
};

enum { COMM_NONE = 0, COMM_WORLD_ID = 1, COMM_SELF_ID = 2 };

struct rec_comm {
	struct rec_head head; /* id: this rank's number of the communicator, from 1 */
	uint64_t uid;         /* the same on all members */
	uint32_t parent;
	uint32_t maker; /* FN_*; 0: predefined */
	int32_t size;   /* of the local group */
	int32_t my_rank;
	int32_t remote_size; /* 0: intracommunicator */
	int32_t peer_world;  /* of members of another world; PEER_WORLD_* */
};

enum { PEER_WORLD_OWN = -1, PEER_WORLD_UNKNOWN = -2 };

/* A window or an open file. */
struct rec_object {
	struct rec_head head; /* id: this rank's number of it, from 1 for each type */
	uint64_t uid;         /* the same on all members */
	uint32_t comm;        /* that it was made from */
	uint32_t maker;       /* FN_* */
	uint64_t bytes;       /* of this rank's part of the window */
	int32_t detail;       /* displacement unit; access mode of a file */
	uint32_t pad;
	char text[]; /* name of the file, NUL-terminated, padded */
};

/*
 * Threads that never called MPI have numbers of their own, from here on, as `id` of the two records
 * below.
 */
#define THREAD_OUTSIDE 0x80000000U

/*
 * The number of samples of a thread on one instruction, between two calls that may move messages.
 * Both calls are 0 for a thread that never called MPI.
 */
struct rec_sample {
	struct rec_head head; /* id: the thread */
	uint32_t callsite;    /* of the call entered next */
	uint32_t after;       /* callsite of the call left before; 0: MPI_Init */
	uint32_t place;       /* callsite that stands for the instruction */
	uint32_t count;
};

/* How a thread had no CPU. */
enum off_cpu {
	OFF_CPU_PREEMPTED = 1, /* outside of calls, while it was ready to run */
	OFF_CPU_GAVE_UP = 2,   /* outside of calls: asleep or blocked, until it ran again */
	OFF_CPU_POLLING = 3    /* inside a call, ready to run: it yielded, or was preempted */
};

struct rec_off_cpu {
	struct rec_head head; /* pad: enum off_cpu; id: the thread */
	uint32_t callsite;    /* as above; OFF_CPU_POLLING: of the call itself */
	uint32_t after;       /* as above; OFF_CPU_POLLING: 0 */
	uint64_t out_ticks;
	uint64_t in_ticks;
};

/*
 * One row of link_param. Text fields are NUL-padded; NaN in value, ci_low or ci_high is NULL;
 * peer -1 and bytes UINT64_MAX are NULL.
 */
enum link_tier { TIER_SELF, TIER_NODE, TIER_NETWORK, TIER_COUNT, TIER_NONE = 255 };

/*
 * Links of a rank: one for each tier, and one over the network for each other kind of host. The
 * rows of such a link in link_param have the lowest rank of that kind as `peer`. Links are numbered
 * in the order of these ranks. If no other host is of the rank's own kind, the link to the first
 * other kind is that of the tier.
 */
enum { HOST_KINDS_MAX = 4, LINK_COUNT = TIER_COUNT + HOST_KINDS_MAX - 1 };

static inline unsigned link_tier_of(unsigned link)
{
	return link < TIER_COUNT ? link : link < LINK_COUNT ? TIER_NETWORK : TIER_NONE;
}

struct rec_link {
	struct rec_head head; /* id: enum link_tier */
	int32_t peer;
	uint32_t pad;
	/* "" is NULL; else "send", "isend", "ssend_init", "recv", ... */
	char form[16];
	char layout[16]; /* "" is NULL; else "contiguous", "strided" */
	char model[16];  /* "LogGPS", ... */
	char name[24];   /* "L", "O_ss", "S", "noise_send", ... */
	char unit[8];    /* "ns", "ns/B", "B", "" */
	/* "measured", "cache" (found true), "unconfirmed", "file", ... */
	char source[16];
	uint64_t bytes;
	double value;
	double ci_low;
	double ci_high;
	char reason[64]; /* why value is NULL; of name "age", who measured the set */
};

/* One instant, read as close together as possible. */
struct rec_clock {
	struct rec_head head; /* id: 0 start, 1 end of Init, 2 Finalize, 3 between */
	uint64_t ticks;
	int64_t monotonic_ns;
	int64_t realtime_ns;
	uint64_t error_ns; /* how far apart the readings may be */
};

/* This rank's clock against another one's, which showed (own ns from zero) + offset_ns. */
struct rec_clock_offset {
	struct rec_head head; /* id: the other rank, in MPI_COMM_WORLD */
	uint64_t ticks;
	int64_t offset_ns;
	uint64_t error_ns;
};

/* A phase begins or ends: MPI_Pcontrol and the marks of tryst.h. */
enum phase_event { PHASE_BEGIN, PHASE_END };
#define PHASE_UNRECORDED "not recorded" /* name of the time from MPI_Pcontrol(0) to (1) */
#define PHASE_NO_LEVEL INT32_MIN

struct rec_phase {
	/* pad: enum phase_event; id: the phase's number on this rank */
	struct rec_head head;
	uint64_t ticks;
	int32_t level; /* of MPI_Pcontrol; PHASE_NO_LEVEL */
	uint32_t pad;
	char text[]; /* its name, at the end "" */
};

/* A cell of wait_profile. Times in ns, by the clock rate that was known when an op was added. */
struct wait_sum {
	uint32_t callsite;
	int32_t peer;
	uint32_t comm;
	uint16_t call;
	uint8_t kind_mode;
	uint8_t class8;
	uint8_t bytes_log2; /* floor(log2(bytes)) + 1; 0: zero bytes */
	uint8_t used;       /* 0: slot free */
	uint16_t flags;     /* OP_PROC_NULL, OP_COMM_PEER */
	uint32_t pad;
	uint64_t count;
	uint64_t bytes;
	int64_t blocked_ns;
	int64_t predicted_ns;
	int64_t excess_ns;
	int64_t wait_ns;
	int64_t max_wait_ns;
};

/* An op (or a collective, or a transfer) that was posted under a request and has not completed. */
enum pending_state { PENDING_FREE, PENDING_POSTED };

struct pending_op {
	/* collectives, transfers: seq on their communicator or object */
	uint64_t op_id;
	uint64_t post_enter_ticks;
	uint64_t post_leave_ticks;
	uint64_t bytes; /* collectives: sent bytes */
	union {
		uint64_t recv_bytes;      /* collectives */
		uint64_t poll_last_ticks; /* the shim's, ops: end of the last unsuccessful test */
	};
	uint64_t poll_ticks;  /* ops: begin of the first unsuccessful test; 0: none */
	uint64_t private_key; /* the shim's: request handle */
	/* the shim's: a wildcard's communicator; else what it repeats (call/repeat.h) */
	uint64_t private_extra;
	uint32_t private_next; /* the shim's: index of the next slot */
	int32_t peer;          /* collectives: root */
	int32_t tag;
	uint32_t comm; /* transfers: number of the window or file */
	uint32_t callsite;
	uint16_t call;
	uint16_t flags;
	/* 0: a collective; KIND_MODE_RMA, KIND_MODE_IO: transfers */
	uint8_t kind_mode;
	uint8_t state; /* enum pending_state; stored last */
	uint8_t tier;
	uint8_t private_shape; /* the shim's: which of its thread's shapes that has */
	uint32_t thread;
};

_Static_assert(sizeof(struct ring_file) <= RING_HEADER_BYTES, "header fits its page");
_Static_assert(sizeof(struct chunk) == 24, "layout");
_Static_assert(sizeof(struct chunk) + RING_BYTES == CHUNK_BYTES + RING_SPARE, "layout");
_Static_assert(offsetof(struct thread_region, ring) ==
		offsetof(struct thread_region, chunk) + sizeof(struct chunk),
	"layout");
_Static_assert(sizeof(struct rec_head) == 8, "layout");
_Static_assert(sizeof(struct rec_op) == 64, "layout");
_Static_assert(sizeof(struct rec_again) == 16, "layout");
_Static_assert(sizeof(struct rec_op2) == 104, "layout");
_Static_assert(sizeof(struct rec_op2_again) == 32, "layout");
_Static_assert(
	offsetof(struct rec_again, waited) == offsetof(struct rec_op2_again, waited), "layout");
_Static_assert(offsetof(struct rec_again, took_ticks) == offsetof(struct rec_op2_again, took_ticks),
	"layout");

/* True if a record of this type refers to another one. */
static inline bool record_refers(uint8_t type)
{
	return type == REC_AGAIN || type == REC_OP2_AGAIN;
}

/*
 * Makes the full record of the struct rec_again or struct rec_op2_again that begins `at` bytes into
 * the `records` of a chunk. For struct rec_again only out->op is set. False if it refers to no
 * earlier record of its kind. Safe for any content.
 */
static inline bool record_again(const uint8_t *records, uint64_t at, struct rec_op2 *out)
{
	struct rec_op2_again again = { .type = records[at] };
	const bool two = again.type == REC_OP2_AGAIN;
	const uint64_t bytes = two ? sizeof(*out) : sizeof(out->op);
	struct rec_op *op = &out->op;
	uint64_t like;

	memcpy(&again, records + at, two ? sizeof(again) : sizeof(struct rec_again));
	like = again.like * (uint64_t)8;
	if (like + bytes > at)
		return false;
	memcpy(out, records + like, bytes);
	if (op->type != (two ? REC_OP2 : REC_OP) || op->words != bytes / 8)
		return false;
	op->op_id += again.op_id_more;
	op->enter_ticks += again.enter_more;
	op->leave_ticks = op->enter_ticks + again.took_ticks;
	op->flags = (uint16_t)((op->flags & ~OP_WAITED) | (again.waited ? OP_WAITED : 0));
	if (two) {
		op->predicted_ns = again.predicted_ns;
		out->complete_enter_ticks = op->enter_ticks + again.complete_more;
		out->complete_leave_ticks = out->complete_enter_ticks + again.complete_took_ticks;
		out->blocked_ticks = again.blocked_ticks;
		out->poll_ticks = 0;
	}
	return true;
}
_Static_assert(sizeof(struct rec_collective) == 64, "layout");
_Static_assert(sizeof(struct rec_collective2) == 96, "layout");
_Static_assert(sizeof(struct rec_busy) == 24, "layout");
_Static_assert(sizeof(struct rec_transfer) == 48, "layout");
_Static_assert(sizeof(struct rec_transfer2) == 80, "layout");
_Static_assert(sizeof(struct rec_object) == 40, "layout");
_Static_assert(sizeof(struct rec_phase) == 24, "layout");
_Static_assert(sizeof(struct rec_sample) == 24, "layout");
_Static_assert(sizeof(struct rec_off_cpu) == 32, "layout");
_Static_assert(sizeof(struct rec_module) == 40, "layout");
_Static_assert(sizeof(struct rec_comm) == 40, "layout");
_Static_assert(sizeof(struct rec_link) == 208, "layout");
_Static_assert(sizeof(struct call_sum) == 56, "layout");
_Static_assert(sizeof(struct wait_sum) == 80, "layout");
_Static_assert(sizeof(struct pending_op) == 96, "layout");

#endif
