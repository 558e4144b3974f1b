/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_result.h: results of blame and critical path besides their tables. */
#ifndef TRYST_BLAME_BLAME_RESULT_H
#define TRYST_BLAME_BLAME_RESULT_H

#include <stdint.h>

struct blame_result {
	int64_t waits_ns;    /* cost of all waits used */
	uint64_t left_out;   /* waits too short to keep */
	int64_t left_out_ns; /* their sum */
	int64_t path_ns;     /* length of the path from the last Init to the first end */
	int64_t run_ns;      /* length of the run, likewise */
	uint64_t cut;        /* waits whose history was too long */
};

#endif
