/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.h: times as users write them: 10ms, 1.5s. */
#ifndef TRYST_BASE_DURATION_H
#define TRYST_BASE_DURATION_H

#include <stdbool.h>

/*
 * Reads a finite number, and ns, us, ms or s behind it, to *value in units of `unit_ns` nanoseconds
 * (1: ns, 1e9: s). A number alone is in these. False: the text is no time.
 */
bool duration_read(const char *text, double unit_ns, double *value);

#endif
