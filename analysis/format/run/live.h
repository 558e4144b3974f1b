/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.h: one rank, looked at again and again while it runs.
 *
 * The ring of a rank of this host stays mapped between looks, and its process has a descriptor. A
 * look then reads what has changed. The ring of another host's rank is opened at each look, so that
 * a server of files shows its newest state. Nothing is written or locked. Assumes nothing of the
 * files, as spool.h. A file that becomes shorter ends no look (ring_read.h).
 */
#ifndef TRYST_FORMAT_RUN_LIVE_H
#define TRYST_FORMAT_RUN_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record.h"
#include "analysis/format/run/ring_read.h"

enum live_state {
	LIVE_NOTHING,    /* no ring, or one without a head yet */
	LIVE_UNREADABLE, /* the file is no ring of this version */
	LIVE_RUNS,       /* its process runs */
	LIVE_STOPPED,    /* the same, but recording was given up */
	LIVE_DEAD,       /* its process is gone without MPI_Finalize */
	LIVE_CLOSED      /* MPI_Finalize returned */
};

struct live_thread {
	uint32_t thread;
	bool ended;
	bool seen;   /* private */
	bool known;  /* private */
	bool turned; /* more was recorded since the last look than records were passed to visit */
	bool held;   /* in the same call as at the last look */
	uint64_t busy_leave_ticks;
	struct current_call now;
	struct ring_place read; /* of the ring */
};

/* Sums over all calls that have returned. */
struct live_sums {
	uint64_t calls, bytes, ticks;
};

/*
 * A rank. Zero it first; the first three are the caller's. It keeps its address until
 * live_release(), which frees what it holds.
 */
struct live {
	const char *dir; /* of its files (run_rank_dir()) */
	int32_t rank;
	/* saves system calls: keeps no_cpu_ns, and does not check the ring's path */
	bool briefly;

	/* As the last look saw it. */
	enum live_state state;
	bool elsewhere;      /* its process is on another host, where only its files are known */
	bool fresh;          /* another process's ring than at the look before, or the first look */
	bool changed;        /* something was recorded, or a call begun or left, since that look */
	int64_t modified_ns; /* of the files, by CLOCK_REALTIME of their server */
	uint64_t run_id;
	int64_t pid;
	char host[64];
	uint64_t zero_ticks; /* 0: in MPI_Init */
	uint64_t exit_ticks; /* 0: exit() was not called */
	uint64_t functions_hash;
	double ns_per_tick;
	int64_t cpu_ns;      /* CPU time of the process; -1: unknown */
	int64_t no_cpu_ns;   /* of its first thread: ready to run, but without a CPU; -1: unknown */
	bool looked_briefly; /* no_cpu_ns is from an earlier look */
	struct live_thread *threads;
	uint32_t nthreads, room;
	struct live_sums sums;

	/* Private. */
	dev_t dev;
	ino_t ino;
	const uint8_t *map; /* NULL: the file is opened at each look */
	uint64_t map_bytes;
	uint64_t start_time;     /* of the process */
	clockid_t cpu_clock;     /* of the process */
	int process;             /* its descriptor + 1; 0: none */
	bool has_ended;          /* that process has */
	bool settled;            /* the last look read sums to which no call was adding */
	uint64_t defined;        /* bytes of the spool that live_define() has read */
	bool undefinable;        /* it is damaged there */
	struct live_sum *before; /* sums in use at the last look */
	uint32_t nbefore, room_before;
	uint32_t places; /* entries of the tables then */
};

/* What a look passes to its caller. Each function may be NULL. */
struct live_visitor {
	ring_visit *record; /* recorded since the last look, as far as the ring still has it */
	/* a sum that has changed, and its change */
	void (*sum)(void *context, uint32_t thread, const struct call_sum *change);
	/* of a rank with a thread that is held in a call without an operation of its own */
	void (*pending)(void *context, const struct pending_op *op);
	void *context;
};

/*
 * Buffers of a look, for any number of ranks. Release the ranks first.
 * live_buffers_new() raises the soft limit of descriptors.
 */
struct live_buffers;
struct live_buffers *live_buffers_new(void); /* NULL: no memory */
void live_buffers_free(struct live_buffers *b);

/* Learns which processes have ended, of all ranks. Call it before each round of looks. */
void live_see_ends(struct live_buffers *b);

/*
 * Looks at the rank. A file that cannot be read is a state, not an error. Returns 0 or -ENOMEM.
 */
int live_look(struct live *l, struct live_buffers *b, const struct live_visitor *visitor);

/* Of the process's first thread, as in proc(5). 'R': running or ready; '?': unknown. */
char live_process_state(const struct live *l);

/*
 * Passes the records of further chunks of the spool to visit(), at most *bytes of them, which
 * become fewer. Callsites, communicators and clocks that were defined before the first look are
 * found so. Returns 1 if there was a further chunk, else 0.
 */
int live_define(
	struct live *l, struct live_buffers *b, uint64_t *bytes, ring_visit *visit, void *context);

void live_release(struct live *l);

#endif
