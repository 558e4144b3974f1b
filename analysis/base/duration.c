/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.c: reads a number and its unit of time (duration.h). */
#include "analysis/base/duration.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool duration_read(const char *text, double unit_ns, double *value)
{
	const struct {
		const char *unit;
		double ns;
	} units[] = { { "", unit_ns }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end;
	const double number = strtod(text, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && end != text; i++)
		if (strcmp(end, units[i].unit) == 0) {
			*value = number * (units[i].ns / unit_ns);
			return isfinite(*value);
		}
	return false;
}
