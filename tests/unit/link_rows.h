/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link_rows.h: the link of a machine with all three regimes, as rows, for tests of live
 * predictions.
 */
#ifndef TRYST_LINK_ROWS_H
#define TRYST_LINK_ROWS_H

#include "analysis/model/live/live.h"
#include "analysis/model/live/fit.h"

static struct rec_link rows[512];
static size_t nrows;
static struct live_link link;

static void row(const char *form, const char *name, uint64_t bytes, double value)
{
	rows[nrows] = live_row(TIER_NODE, form, name, bytes, "", "file");
	rows[nrows++].value = value;
}

/* A machine with all three regimes: s 100, S_p 256, S 4040; ns and ns/B. */
static void machine(void)
{
	static const struct {
		const char *name;
		double value;
	} param[] = {
		{ "o", 100 },
		{ "L", 300 },
		{ "O_ss", 0.5 },
		{ "G_s", 1 },
		{ "O_rs", 0.25 },
		{ "O_sl", 0.25 },
		{ "G_l", 0.5 },
		{ "O_rl", 0.125 },
		{ "s", 100 },
		{ "S_p", 256 },
		{ "S", 4040 },
		{ "r_p", 40 },
	};

	nrows = 0;
	for (size_t i = 0; i < sizeof(param) / sizeof(*param); i++)
		row("", param[i].name, UINT64_MAX, param[i].value);
}

static int build(void)
{
	return live_link_from_rows(rows, nrows, TIER_NODE, &link);
}

#endif
