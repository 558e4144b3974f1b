/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.c: finds the library's setting that governs S. It is only named if its value agrees with
 * the measured S to the byte, since libraries also show settings of unused transports.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/live/fit.h"
#include "pmpi/measure/setting.h"

/*
 * Open MPI's transports count their header into the limit: 56 bytes up to version 4, 80 since.
 * Version 5 renamed vader to sm and still knows the old name, which is therefore looked at only
 * without the new one.
 */
static const struct {
	const char *name, *old_name;
} limits[] = {
	{ "btl_sm_eager_limit", "btl_vader_eager_limit" },
	{ "btl_tcp_eager_limit", NULL },
};
enum { OLD_HEADER = 56, HEADER = 80 };

/* The value of a control variable that is a single number of 32 or 64 bits, or -1. */
static long long read_variable(struct measure *m, const char *name)
{
	char found[128], about[8];
	int index, name_size = sizeof(found), about_size = sizeof(about), verbosity, bind, scope;
	int count = 0;
	MPI_Datatype type;
	MPI_T_enum names;
	MPI_T_cvar_handle handle;
	union {
		unsigned u;
		unsigned long long ull;
		char room[64];
	} value = { .ull = 0 };
	long long result = -1;

	if (MPI(m, T_cvar_get_index)(name, &index) != MPI_SUCCESS ||
		MPI(m, T_cvar_get_info)(index, found, &name_size, &verbosity, &type, &names, about,
			&about_size, &bind, &scope) != MPI_SUCCESS ||
		bind != MPI_T_BIND_NO_OBJECT ||
		MPI(m, T_cvar_handle_alloc)(index, NULL, &handle, &count) != MPI_SUCCESS)
		return -1;
	if (count == 1 && MPI(m, T_cvar_read)(handle, &value) == MPI_SUCCESS)
		result = type == H(MPI_INT) || type == H(MPI_UNSIGNED) ? (long long)value.u :
									 (long long)value.ull;
	MPI(m, T_cvar_handle_free)(&handle);
	return result;
}

static void name_it(int tier, const char *name, double limit, const char *source,
	struct rec_link *rows, size_t *n)
{
	rows[*n] = live_row(tier, "", "S_setting", UINT64_MAX, "B", source);
	rows[*n].value = limit;
	snprintf(rows[*n].reason, sizeof(rows[*n].reason), "%s", name);
	++*n;
}

/* The limit that explains S, and its name; or -1. */
static long long find_limit(struct measure *m, double S, const char **name)
{
	long long found = -1;
	int matches = 0;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const char *known = limits[i].name;
		long long limit = read_variable(m, known);

		if (limit < 0 && limits[i].old_name)
			limit = read_variable(m, known = limits[i].old_name);
		if (limit - OLD_HEADER != (long long)S && limit - HEADER != (long long)S)
			continue;
		*name = known;
		found = limit;
		matches++;
	}
	return matches == 1 ? found : -1;
}

void measure_setting(struct measure *m, int tier, struct rec_link *rows, size_t max, size_t *n)
{
	const struct rec_link *S = NULL;
	const char *env = getenv("UCX_RNDV_THRESH");
	const char *name = NULL;
	long long limit;
	int level;

	for (size_t i = 0; i < *n && !S; i++)
		if (strcmp(rows[i].name, "S") == 0 && !rows[i].form[0] && rows[i].value > 0)
			S = &rows[i];
	if (!S || *n == max)
		return;
	if (env && strtod(env, NULL) == S->value + 1) {
		name_it(tier, "UCX_RNDV_THRESH", S->value + 1, S->source, rows, n);
		return;
	}
	/* Open MPI takes the thread level given here as the program's own from now on */
	if (MPI(m, Query_thread)(&level) != MPI_SUCCESS ||
		MPI(m, T_init_thread)(level, &level) != MPI_SUCCESS)
		return;
	limit = find_limit(m, S->value, &name);
	MPI(m, T_finalize)();
	if (limit >= 0)
		name_it(tier, name, (double)limit, S->source, rows, n);
}
