/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_target.h: damaged files for everything in analysis/store that reads, and for what merges ranks.
 *
 * An input is a kind of file and a list of edits to a good one, so that small inputs reach deep:
 *
 *	byte 0      bits 0-1: 0, 3 ring and spool, 1 a rank's database, 2 link parameters;
 *	            bit 2: of a spool: the checksums of its chunks are made right again after the edits;
 *	            of a database: it is merged with whole ones, and their messages are matched; with
 *	            bit 3, as if there were too many ops
 *	12 bytes    an edit: operation, 3 bytes of length or nothing, position, value:
 *	            see store_target.c. Bit 7 of the operation: the spool instead of the ring.
 */
#ifndef TRYST_STORE_TARGET_H
#define TRYST_STORE_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Makes the good files. Called once. Returns 0 or -1. */
int store_target_begin(void);

/* Edits, then reads by all means there are. Whatever comes out, it must come out. */
void store_target_run(const uint8_t *data, size_t size);

/* Removes what store_target_begin() made. */
void store_target_end(void);

#endif
