/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: writes a schedule in the GOAL format (schedule.h). */
#include "analysis/goal/schedule.h"

#include <inttypes.h>

#include "analysis/text/progress.h"

enum { OPS_BETWEEN_LOOKS = 4096 };

static void write_op(FILE *out, const struct goal_op *op, uint32_t label)
{
	if (op->type == GOAL_CALC)
		fprintf(out, "l%" PRIu32 ": calc %" PRIu64, label, op->size);
	else
		fprintf(out, "l%" PRIu32 ": %s %" PRIu64 "b %s %" PRIu32 " tag %" PRIu32, label,
			op->type == GOAL_SEND ? "send" : "recv", op->size,
			op->type == GOAL_SEND ? "to" : "from", op->peer, op->tag);
	if (op->cpu)
		fprintf(out, " cpu %u", op->cpu);
	fputc('\n', out);
}

void goal_write(FILE *out, const struct goal *g, const char *comment)
{
	uint32_t op = 0, edge = 0;

	fprintf(out, "// %s\nnum_ranks %" PRIu32 "\n", comment, g->nranks);
	for (uint32_t rank = 0; rank < g->nranks; rank++) {
		const uint32_t first = op;

		fprintf(out, "\nrank %" PRIu32 " {\n", rank);
		/* a label stands before the lines that name it */
		for (; op < g->nops && g->op[op].rank == rank; op++) {
			if (op % OPS_BETWEEN_LOOKS == 0)
				progress("writing operation", op, g->nops);
			write_op(out, &g->op[op], op - first + 1);
		}
		for (; edge < g->nedges && g->op[g->edge[edge].op].rank == rank; edge++)
			fprintf(out, "l%" PRIu32 " %s l%" PRIu32 "\n", g->edge[edge].op - first + 1,
				g->edge[edge].at_begin ? "irequires" : "requires",
				g->edge[edge].before - first + 1);
		fputs("}\n", out);
	}
}
