/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c: frames whose functions were asked for. */
#include "pmpi/callsite/frame.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static UNWIND_READS_FRAMES bool is_still(const struct frame_memory *memory,
	const struct frame_found *found, const void *address, const void *return_address,
	const void *frame_address)
{
	const struct unwind_check *check = memory->checks + found->first;
	const struct unwind_check *end = check + found->nchecks;
	const uint64_t origin = (uint64_t)(uintptr_t)frame_address;

	if (found->frame_address != frame_address || found->return_address != return_address ||
		found->address != address || found->unloads != module_unloads())
		return false;
	while (check != end && unwind_word_at(origin + (uint64_t)check->offset) == check->value)
		check++;
	return check == end;
}

/*
 * Adds an answer that the first `nchecks` words of memory->stack decided. A full memory is emptied
 * first.
 */
static void remember(struct frame_memory *memory, struct frame_found found, unsigned nchecks)
{
	if (memory->nfound == FRAMES_KEPT || memory->nchecks + nchecks > UNWIND_CHECKS_MAX)
		memory->nfound = memory->nchecks = 0;
	found.first = (uint16_t)memory->nchecks;
	found.nchecks = (uint16_t)nchecks;
	memcpy(memory->checks + found.first, memory->stack.checks,
		nchecks * sizeof(*memory->checks));
	memory->nchecks += nchecks;
	memory->found[memory->nfound++] = found;
}

const void *frame_code(struct frame_memory *memory, const void *address, void *return_address,
	void *frame_address, bool *is_walk)
{
	struct frame_found found = {
		.address = address, .return_address = return_address, .frame_address = frame_address
	};
	int saved_errno = errno;
	bool is_noted = false;
	sigset_t all, old;
	int cancel;

	*is_walk = false;
	for (uint32_t i = 0; i < memory->nfound; i++)
		if (is_still(memory, &memory->found[i], address, return_address, frame_address))
			return memory->found[i].code;
	*is_walk = true;
	/*
	 * a handler that jumped out, or the end of a cancelled thread, would leave the linker's
	 * lock taken, or this half written
	 */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	found.unloads = module_unloads();
	found.code = unwind_find_frame(
		&memory->stack, address, return_address, frame_address, &is_noted);
	/* an answer is kept with all words that decided it; "no answer" is kept with the place
	 * alone */
	if (is_noted)
		remember(memory, found, memory->stack.nchecks);
	else if (!found.code)
		remember(memory, found, 0);
	pthread_setcancelstate(cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = saved_errno;
	return found.code;
}
