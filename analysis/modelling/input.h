/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h: numbers, maps and patterns as users of `tryst model` write them. */
#ifndef TRYST_MODELLING_INPUT_H
#define TRYST_MODELLING_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/model/equations/contention.h"
#include "analysis/model/model.h"

/* "100us" in ns; units ns, us, ms, s, none is ns. NAN after printing the error. */
double model_time_of(const char *text);

/* The next length of "8,4k,1M"; moves *list behind it. -1 after printing the error. */
int64_t model_next_bytes(const char **list);

/* "0,0,1,1" or "2x2": the node of each of *n ranks, to be freed. 0, or -1 after printing the error.
 */
int model_map_read(const char *text, int **node_of, int *n);

/*
 * Transfers between nodes from a file (- is stdin): lines of FROM TO BYTES [START], # begins a
 * comment. *flow is to be freed, also after an error. 0, or -1 after printing the error.
 */
int model_pattern_read(const char *path, struct flow **flow, size_t *n);

/*
 * --set: NAME=VALUE,... changes parameters of p and the sums that they are part of. Times may have
 * a unit, lengths k, M or G. Returns an exit code and prints errors: CMD_USAGE for a name or value
 * that cannot be, and for a part that is known only in a sum.
 */
int model_change(struct model_params *p, const char *list);

#endif
