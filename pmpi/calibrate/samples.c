/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c: a growing array of samples. */
#include <stdint.h>
#include <stdlib.h>

#include "pmpi/calibrate/samples.h"

void full_add(struct full_samples *out, const struct sample *like, const double *ns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (out->n == out->room) {
			size_t room = out->room ? 2 * out->room : 4096;
			struct sample *s = realloc(out->s, room * sizeof(*s));

			if (!s) {
				out->lost = true;
				return;
			}
			out->s = s;
			out->room = room;
		}
		out->s[out->n] = *like;
		out->s[out->n].repetition += (uint32_t)i;
		out->s[out->n++].value_ns = ns[i];
	}
}
