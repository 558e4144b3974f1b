/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h: the report on one screen: at most 45 lines of 80 columns for an ordinary run.
 *
 * It has no numbers of its own: its sections ask the questions of analysis/report, with fewer rows
 * and words. report_print() prints them.
 */
#ifndef TRYST_SCREEN_SCREEN_H
#define TRYST_SCREEN_SCREEN_H

#include "analysis/report/report.h"

enum { SCREEN_TOP = 3 }; /* rows of a ranking */

/* In the order of the screen, ended by an empty entry. */
extern const struct section screen_sections[];

#endif
