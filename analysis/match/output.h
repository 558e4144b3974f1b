/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h: the tables of the result, written in bulk while the pass goes on. */
#ifndef TRYST_MATCH_OUTPUT_H
#define TRYST_MATCH_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/match.h"
#include "analysis/ranks/op.h"

struct match;
struct output;

/* Begins the output: rows of all messages, or of those that waited. 0 or a negative errno, printed.
 */
int output_new(struct match *m, bool waits_only);

/* A matched pair; the parts of both ops are known. Errors go to m->error. */
void output_pair(struct match *m, const struct op *send, const struct op *recv);

/* An op without a partner whose parts are known, and whose sums differ from the live ones. */
void output_alone(struct match *m, const struct op *op);

/* After the last pair: waits until all are written. */
void output_wait(struct match *m);

/* Counts an op without a partner. */
void output_unmatched(struct match *m, const struct op *op, enum unmatched reason);

/* One member's wait in a collective. state: enum coll_state. */
struct output_coll {
	const struct run_rank *rank;
	const struct run_rank *late; /* NULL: no single rank */
	uint64_t uid;
	uint64_t seq;
	uint32_t comm; /* the rank's own number */
	uint32_t call;
	uint32_t callsite;
	uint32_t state;
	int64_t enter; /* of the call in which it waited, common time */
	int64_t from, wait_ns;
	int64_t done;            /* the call in which it waited, as in coll_row */
	int64_t no_cpu, blocked; /* parts of wait_ns, see no_cpu.h */
};

/* Writes one row and adds to sums of the run. Errors go to m->error. */
void output_coll(struct match *m, const struct output_coll *c);

/* After output_wait(): writes exact_cell, which blame reads. 0 or a negative errno, printed. */
int output_sums(struct match *m);

/* After output_sums(): writes the rest, and the other sums. 0 or a negative errno, printed. */
int output_end(struct match *m);

/* Does nothing for NULL. */
void output_free(struct output *o);

#endif
