/* SPDX-License-Identifier: BSD-3-Clause */
/* record_shape.c: checks the size and the texts of each type of record (record_shape.h). */
#include "analysis/format/run/record_shape.h"

#include <string.h>

#include "record.h"

static const uint16_t least_bytes[] = {
	[REC_OP] = sizeof(struct rec_op),
	[REC_OP2] = sizeof(struct rec_op2),
	[REC_COLLECTIVE] = sizeof(struct rec_collective),
	[REC_COLLECTIVE2] = sizeof(struct rec_collective2),
	[REC_BUSY] = sizeof(struct rec_busy),
	[REC_RMA] = sizeof(struct rec_transfer),
	[REC_IO] = sizeof(struct rec_transfer),
	[REC_KEY] = sizeof(struct rec_text) + 2,
	[REC_MODULE] = sizeof(struct rec_module) + 1,
	[REC_CALLSITE] = sizeof(struct rec_callsite),
	[REC_COMM] = sizeof(struct rec_comm),
	[REC_COMM_NAME] = sizeof(struct rec_text) + 1,
	[REC_LINK] = sizeof(struct rec_link),
	[REC_CLOCK] = sizeof(struct rec_clock),
	[REC_CLOCK_OFFSET] = sizeof(struct rec_clock_offset),
	[REC_WAIT_SUM] = sizeof(struct rec_head) + sizeof(struct wait_sum),
	[REC_CALL_SUM] = sizeof(struct rec_head) + sizeof(struct call_sum),
	[REC_PENDING] = sizeof(struct rec_head) + sizeof(struct pending_op),
	[REC_PHASE] = sizeof(struct rec_phase) + 1,
	[REC_WINDOW] = sizeof(struct rec_object) + 1,
	[REC_FILE] = sizeof(struct rec_object) + 1,
	[REC_WINDOW_NAME] = sizeof(struct rec_text) + 1,
	[REC_RMA2] = sizeof(struct rec_transfer2),
	[REC_IO2] = sizeof(struct rec_transfer2),
	[REC_AGAIN] = sizeof(struct rec_again),
	[REC_OP2_AGAIN] = sizeof(struct rec_op2_again),
	[REC_SAMPLE] = sizeof(struct rec_sample),
	[REC_OFF_CPU] = sizeof(struct rec_off_cpu),
};

#define END_TEXT(field) ((field)[sizeof(field) - 1] = 0)

bool record_is_whole(uint8_t *record, size_t bytes)
{
	const struct rec_head *head = (const void *)record;
	struct rec_callsite *site = (void *)record;
	struct rec_module *module = (void *)record;
	struct rec_link *link = (void *)record;

	if (head->type >= sizeof(least_bytes) / sizeof(least_bytes[0]) ||
		!least_bytes[head->type] || bytes < least_bytes[head->type])
		return false;
	switch (head->type) {
	case REC_KEY:
		record[bytes - 1] = 0;
		return strlen((char *)record + sizeof(*head)) + 1 + sizeof(*head) < bytes;
	case REC_COMM_NAME:
	case REC_WINDOW:
	case REC_FILE:
	case REC_WINDOW_NAME:
	case REC_PHASE:
		record[bytes - 1] = 0;
		return true;
	case REC_MODULE:
		record[bytes - 1] = 0;
		return module->build_id_bytes <= sizeof(module->build_id);
	case REC_CALLSITE:
		return site->nframes <= (bytes - sizeof(*site)) / sizeof(site->frames[0]);
	case REC_LINK:
		END_TEXT(link->form);
		END_TEXT(link->layout);
		END_TEXT(link->model);
		END_TEXT(link->name);
		END_TEXT(link->unit);
		END_TEXT(link->source);
		END_TEXT(link->reason);
		return true;
	default:
		return true;
	}
}
