/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: reads the options of tryst-measure-<mpi> (options.h). */
#include "pmpi/calibrate/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int sizes_read(struct full_options *o, const char *text, uint64_t longest)
{
	char *end;

	for (o->nsizes = 0; *text && o->nsizes < FULL_SIZES_MAX; text = *end ? end + 1 : end) {
		o->sizes[o->nsizes++] = strtoull(text, &end, 10);
		if (end == text || (*end && *end != ',') || o->sizes[o->nsizes - 1] > longest)
			return -EINVAL;
	}
	return *text ? -EINVAL : 0;
}

int full_options_read(struct full_options *o, int argc, char **argv, uint64_t longest)
{
	*o = (struct full_options){ .output = "tryst.links",
		.pairs = "tier",
		.max_bytes = longest,
		.precision = 0.02,
		.budget_s = 10 };
	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (strcmp(argv[i], "--quiet") == 0)
			o->quiet = true;
		else if (!value)
			return -EINVAL;
		else if (strncmp(argv[i], "--output=", 9) == 0)
			o->output = value + 1;
		else if (strncmp(argv[i], "--pairs=", 8) == 0)
			o->pairs = value + 1;
		else if (strncmp(argv[i], "--sizes=", 8) == 0 &&
			sizes_read(o, value + 1, longest) == 0)
			continue;
		else if (strncmp(argv[i], "--max-bytes=", 12) == 0)
			o->max_bytes = strtoull(value + 1, NULL, 10);
		else if (strncmp(argv[i], "--precision=", 12) == 0)
			o->precision = strtod(value + 1, NULL);
		else if (strncmp(argv[i], "--budget=", 9) == 0)
			o->budget_s = strtod(value + 1, NULL);
		else
			return -EINVAL;
	}
	if (o->max_bytes > longest)
		o->max_bytes = longest;
	return 0;
}
