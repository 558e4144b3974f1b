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

/* Rows of all messages, or of those that waited. 0 or a negative errno, said. */
int output_new(struct match *m, bool waits_only);

/* A matched pair; both ops are settled. Errors go to m->error. */
void output_pair(struct match *m, const struct op *send, const struct op *recv);

/* An op without partner, settled, whose part in the sums is not what it was live, or a wait. */
void output_alone(struct match *m, const struct op *op);

/* After the last pair: until all are written. */
void output_wait(struct match *m);

/* An op without partner is counted. */
void output_unmatched(struct match *m, const struct op *op, enum unmatched reason);

/* One member's wait in a collective. state: enum coll_state. */
struct output_coll {
	const struct run_rank *rank;
	const struct run_rank *late; /* NULL: none in particular */
	uint64_t uid;
	uint64_t seq;
	uint32_t comm; /* the rank's own number */
	uint32_t call;
	uint32_t callsite;
	uint32_t state;
	int64_t enter; /* of the call in which it waited, common time */
	int64_t from, wait_ns;
	int64_t done; /* the call in which it waited, as in coll_row */
};

void output_coll(struct match *m, const struct output_coll *c);

/* After output_wait(): exact_cell, which blame looks at. 0 or a negative errno, said. */
int output_sums(struct match *m);

/* After output_sums(): what is still in memory, and the other sums. 0 or a negative errno, said. */
int output_end(struct match *m);

/* NULL does nothing. */
void output_free(struct output *o);

#endif
