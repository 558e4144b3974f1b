/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_rows.h: how a rank ended, by its file of rows. Its ring is gone: the first tryst report or
 * collect makes rows of a killed rank, and removes its ring.
 */
#ifndef TRYST_TOP_RANK_ROWS_H
#define TRYST_TOP_RANK_ROWS_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "analysis/format/run/live.h"

enum rows_end {
	ROWS_UNREADABLE, /* no file of rows that this version reads */
	ROWS_ENDED,      /* MPI_Finalize returned, or the rows do not tell */
	ROWS_EXITED,     /* by exit() without MPI_Finalize */
	ROWS_DIED        /* its process was gone */
};

/* Zero it first. */
struct rank_rows {
	enum rows_end end;
	int32_t world_size; /* 0: unknown */

	/* Private: the file that was read. */
	ino_t ino;
	struct timespec modified;
};

/*
 * Reads the rank's file of rows, if it is not the one read before. Sets run_id, pid and host of
 * *live from it.
 */
void rank_rows_look(struct rank_rows *rows, struct live *live);

#endif
