/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c: the seldom paths of a wrapper's frame. */
#include "call.h"

#include <signal.h>

/* Is the caller of a call inside another one the program? */
static bool from_program(enum call_entry entry, void *return_address)
{
	/*
	 * Libraries and tools come back through PMPI. Programs come through MPI, and in Fortran
	 * through the binding, which calls PMPI.
	 */
	if (entry == ENTRY_MPI)
		return module_kind(return_address) != MODULE_MPI;
	return module_kind(return_address) == MODULE_FORTRAN_BINDING;
}

bool call_is_left(const struct thread *t, const void *frame)
{
	stack_t signals;

	if ((uintptr_t)frame < t->guard)
		return false;
	/* addresses on a signal stack tell nothing of a wrapper on another */
	return sigaltstack(NULL, &signals) != 0 || !(signals.ss_flags & SS_ONSTACK) ||
		t->guard - (uintptr_t)signals.ss_sp < signals.ss_size;
}

bool call_nested_counts(struct thread *t, enum call_entry entry, void *return_address, void *frame)
{
	if (call_is_left(t, frame)) {
		t->guard = 0;
		t->nested_ticks = 0;
		call_in_mpi(t, false);
		return true;
	}
	if (!from_program(entry, return_address))
		return false;
	if (!t->in_mpi) {
		/* a signal handler's, in the middle of our own work */
		ring_count_loss(&ring_file->dropped_other);
		return false;
	}
	call_in_mpi(t, false);
	return true;
}

uint64_t call_end_nested(const struct call *c, uint64_t ticks)
{
	struct thread *t = c->t;
	/* Each nanosecond in MPI belongs to one call: the inner one. */
	uint64_t own = ticks > t->nested_ticks ? ticks - t->nested_ticks : 0;

	t->nested_ticks = c->outer ? c->outer_nested + ticks : 0;
	if (c->outer) {
		t->region->now = c->outer_now;
		call_in_mpi(t, true);
	}
	return own;
}

bool call_begin_plain(struct call *c, unsigned fn, enum call_entry entry, void *return_address,
	void *frame)
{
	return call_begin(c, fn, entry, return_address, frame);
}

bool call_begin_always(struct call *c, unsigned fn, enum call_entry entry, void *return_address,
	void *frame)
{
	return call_begin_while(shim.tracking, c, fn, entry, return_address, frame);
}

void call_end_plain(struct call *c, enum call_flag flags)
{
	call_end(c, flags);
}
