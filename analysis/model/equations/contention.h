/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contention.h: messages that share nodes, as flows whose rates are cut.
 *
 * Source: MM. Alone, a message of m bytes takes L + a m below m0 and L + b m from there on. While
 * it shares a node with others it moves 1 + alpha times slower; alpha, the flow cut, depends on
 * the conflict:
 *
 *	<-X->, ->X<-	same direction at X. Two flows, or a chain or ring of them in which each
 *			shares both of its ends: cut_pair for each. A chain of an odd number, 3 or
 *			more: cut_chain_end, cut_chain_middle, cut_chain_end, ... in turn.
 *	->X->		one enters X, one leaves it: cut_enter and cut_leave
 *	->		a flow left over by the rules: cut_single, or cut_between where it has
 *			neighbours at both ends
 *
 * R1: a pattern is split into pairs. R2: a pattern with conflicts of only the first kind is not
 * split. R3: a flow in conflicts of both kinds counts for the first.
 *
 * Table 2 of the source prints (1/2, 2, 1/2, 2, ..., 1/2) under "even number of communications" and
 * (1, ..., 1) under "odd". We exchange the headings, which may count conflicts, one less than
 * flows. For a list that begins and ends alike has odd length. Its rates 2/3, 1/3, 2/3 add up to 1
 * at each shared node. And two flows that share fairly have cuts (1, 1).
 *
 * Not in the source, ours: if three or more flows share one direction of a node, each has its fair
 * share, cut = flows - 1 (the source's nodes have two processors). A message inside a node takes c
 * a byte and disturbs no other. Two flows from two nodes into X may have a cut of their own,
 * cut_in: a network may limit what leaves a node, and not what enters it. Three or more into X
 * share as above.
 */
#ifndef TRYST_MODEL_EQUATIONS_CONTENTION_H
#define TRYST_MODEL_EQUATIONS_CONTENTION_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model/model.h"

enum contention_param {
	MM_L,
	MM_a,
	MM_b,
	MM_m0,
	MM_c,
	MM_cut_pair,
	MM_cut_chain_end,
	MM_cut_chain_middle,
	MM_cut_enter,
	MM_cut_leave,
	MM_cut_between,
	MM_cut_single,
	MM_cut_in,
	MM_PARAMS
};

struct contention {
	double L;    /* ns */
	double a, b; /* ns/B below m0 and from m0 on */
	double m0;   /* B */
	double c;    /* ns/B inside a node */
	double cut_pair, cut_chain_end, cut_chain_middle, cut_enter, cut_leave, cut_between,
		cut_single;
	double cut_in; /* NAN: as cut_pair */
};

struct flow {
	int from, to; /* nodes */
	double start_ns;
	uint64_t bytes;
	double byte_ns; /* time of a byte alone [ns]; 0: by the network's parameters */
	double end_ns;  /* out: when the last byte has arrived */
};

/* Reads the parameters of model MM from p; unknown ones become NAN, or follow from shorter
 * patterns. */
void contention_of(const struct model_params *p, struct contention *net);

/* Sets the cuts of full duplex links that flows of one direction share equally; cut_in becomes NAN.
 */
void contention_share(struct contention *net);

/* The cut of this name, as "cut_pair". NULL: there is none. */
double *contention_cut(struct contention *net, const char *name);

/* True if all cuts are known. Otherwise concurrent transfers cannot be predicted. */
int contention_known(const struct contention *net);

/* L + a m or L + b m; inside a node L + c m [ns]. */
double contention_alone(const struct contention *net, uint64_t bytes, int same_node);

/* The cuts of n flows that all run now, by R1 to R3, to cut[n]. 0 or -ENOMEM. */
int contention_cuts(const struct contention *net, const struct flow *flow, size_t n, double *cut);

/*
 * Sets end_ns of all flows: between two events (a flow starts or ends) all rates are constant
 * (the source's section 5.3). NAN where a parameter that a flow needs is not known; the cuts must
 * be (contention_known()). 0 or -ENOMEM.
 */
int contention_run(const struct contention *net, struct flow *flow, size_t n);

/*
 * Binomial broadcast of `bytes` from rank 0 over n ranks on nodes node_of[n], largest distance
 * first, step by step as the source adds it up. With independent != 0 conflicts are ignored. NAN
 * where memory ran out or a parameter is not known.
 */
double contention_broadcast(
	const struct contention *net, const int *node_of, int n, uint64_t bytes, int independent);

#endif
