/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export.h: a run as a stream of events, for other tools.
 *
 *	run.db --export_thread()--> what one thread did, in the order of time --> a format's file
 *
 * A format is a file export/NAME.c with an entry in export_formats[]. Memory holds the ops in
 * flight (posted and not completed), so it does not grow with the length of the run.
 */
#ifndef TRYST_EXPORT_EXPORT_H
#define TRYST_EXPORT_EXPORT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/clocks.h"
#include "analysis/base/say.h"

/* A line of the program, or an address if the line is unknown. */
struct export_place {
	char *text; /* "function base/file.c:12", "module+0x1234" */
	char *file; /* NULL: unknown */
	uint32_t line;
};

struct export_rank {
	int32_t rank;
	char *host;       /* "": unknown */
	uint32_t *thread; /* those that called MPI, rising; at least thread 0 */
	uint32_t nthreads;
	bool left_out;   /* it has no events in the export */
	int64_t end_ns;  /* the last thing known of it */
	uint32_t *place; /* by callsite: number in run->place */
	uint32_t ncallsites;
};

struct export_run {
	sqlite3 *db;
	const char *dir; /* what the user named, for titles */
	char *program;
	struct clocks clocks;
	int64_t base_ns;        /* the earliest common time, which is 0 in the export */
	int64_t end_ns;         /* the last time in the export */
	int64_t from_ns, to_ns; /* only calls that touch this time; both 0: all */
	bool has_calls;         /* export_thread() has passed on an event */
	struct export_rank *rank;
	uint32_t nranks;
	struct export_place *place; /* 0: unknown */
	uint32_t nplaces;
	char **call_name; /* by number; NULL: not used */
	uint32_t ncalls;
	char **cause_name;
	uint32_t ncauses;
	char **state_name; /* of waits in collectives */
	uint32_t nstates;
	/* both sides were analyzed: waits and causes are as table match has them */
	bool exact;
	const struct say *say;
};

enum export_kind {
	EXPORT_ENTER, /* of a call */
	EXPORT_LEAVE,
	EXPORT_SEND, /* blocking, within its call */
	EXPORT_RECV,
	EXPORT_SEND_POST, /* nonblocking and persistent, within the call that posts */
	EXPORT_SEND_DONE, /* within the call that completes */
	EXPORT_RECV_POST,
	EXPORT_RECV_DONE,
	EXPORT_CANCELLED,  /* instead of EXPORT_*_DONE */
	EXPORT_COLL_BEGIN, /* blocking collective */
	EXPORT_COLL_END,
	EXPORT_COLL_POST, /* nonblocking */
	EXPORT_COLL_DONE
};

/* A wait of a call in a collective. */
struct export_wait {
	int64_t from_ns, until_ns;
	uint32_t state;    /* number in run->state_name */
	int32_t late_rank; /* -1: none in particular */
	uint32_t place;    /* of the collective's post; number in run->place */
};

/*
 * Times of a thread never fall. ENTER and LEAVE alternate, since calls do not nest. Events within a
 * call come between the two.
 */
struct export_event {
	enum export_kind kind;
	int64_t at_ns;        /* >= 0, common time since run->base_ns */
	uint32_t call;        /* number of the call, also in LEAVE and COLL_* */
	uint32_t place;       /* number in run->place */
	int64_t enter_ns;     /* LEAVE: when it was entered */
	int64_t wait_ns;      /* LEAVE: the wait for all its messages; blocked_ns at most */
	int64_t predicted_ns; /* LEAVE: sum over the messages it completes; -1: unknown, or none */
	int64_t blocked_ns;   /* LEAVE: the same sum; -1: none */
	uint32_t cause;       /* LEAVE: the cause of the longest of these waits; 0: none */
	const struct export_wait *wait; /* LEAVE: in collectives, in order, without overlap */
	uint32_t nwaits;
	uint64_t request; /* POST, DONE, CANCELLED: not used twice in a thread */
	int32_t peer;     /* rank in MPI_COMM_WORLD; of collectives the root, -1: none */
	int32_t tag;
	uint32_t comm;       /* the rank's number of it */
	uint64_t bytes;      /* of the message; of collectives sent */
	uint64_t recv_bytes; /* of collectives */
};

/* Returns 0, or a negative errno (which ends the stream). */
typedef int export_event_fn(void *context, const struct export_event *event);

/* Reads what export_run holds. 0 or a negative errno, printed. `db` must stay open. */
int export_open(struct export_run *run, sqlite3 *db, const char *dir, const struct say *say);

void export_close(struct export_run *run);

/*
 * Keeps only the calls between from_s and to_s of the run [s]. to_s 0: the end. Returns 0; or
 * -EINVAL, printed, if the run has no such time.
 */
int export_choose_time(struct export_run *run, double from_s, double to_s);

/*
 * Keeps only the ranks of the list `ranks` ("0-7,12"; NULL: all), or the `worst` ranks with the
 * longest waits (0: all). Returns 0 or a negative errno, printed: -EINVAL if no rank is left.
 */
int export_choose(struct export_run *run, const char *ranks, int64_t worst);

/*
 * After the events of all threads. Returns 0; or -ENODATA, printed, if the chosen part of the run
 * has no call.
 */
int export_check_part(const struct export_run *run);

/* Does the time from from_ns to until_ns touch the time of the export? */
bool export_has_time(const struct export_run *run, int64_t from_ns, int64_t until_ns);

/*
 * Passes on the events of one thread's calls that touch the time of the export; none if its rank is
 * left out.
 * Returns 0, what `event` returned, or a negative errno, printed.
 */
int export_thread(struct export_run *run, const struct export_rank *rank, uint32_t thread,
	export_event_fn *event, void *context);

/* Common time since run->base_ns of `ns` on the clock of the rank with index `i`. */
int64_t export_time(struct export_run *run, uint32_t i, int64_t ns);

/* Index of a rank in run->rank, or -1. */
int64_t export_rank_index(const struct export_run *run, int64_t rank);

struct export_format {
	const char *name;
	const char *suffix; /* of the default target: DIR + suffix */
	const char *absent; /* why it is not built in; NULL: it is */
	bool of_both_sides; /* it needs what tryst analyze finds */
	bool of_parts;      /* it can leave out times and ranks */
	bool is_directory;
	/*
	 * Writes the file `target`, which does not exist, or into the empty directory `target`.
	 * Returns 0 or a negative errno, printed.
	 */
	int (*write)(struct export_run *run, const char *target);
};

extern const struct export_format export_otf2, export_chrome, export_csv, export_spreadsheet,
	export_goal;

#endif
