/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h: looks on a terminal, with keys. */
#ifndef TRYST_TOP_SCREEN_H
#define TRYST_TOP_SCREEN_H

#include "analysis/top/rows.h"
#include "analysis/top/top.h"

/*
 * Looks and shows every `seconds`, until q. Returns 0; -ENOSYS: built without ncurses; -ENOTTY: no
 * terminal that can be used; or another negative errno, said.
 */
int top_screen(struct top *t, struct top_view *view, double seconds, const struct say *say);

#endif
