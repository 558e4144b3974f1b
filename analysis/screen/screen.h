/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen.h: the report on one screen: at most 45 lines of 80 columns for an ordinary run,
 * and at most 50 lines for one that was cut short.
 *
 * It has no numbers of its own: its sections ask the questions of analysis/report, with fewer rows
 * and words. report_print() prints them.
 */
#ifndef TRYST_SCREEN_SCREEN_H
#define TRYST_SCREEN_SCREEN_H

#include "analysis/report/report.h"

/* Rows of a ranking. A run that was cut short has open calls to show as well. */
enum { SCREEN_TOP = 3, SCREEN_TOP_CUT_SHORT = 2 };

/* In the order of the screen, ended by an empty entry. */
extern const struct section screen_sections[];

#endif
