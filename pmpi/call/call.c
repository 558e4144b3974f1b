/* SPDX-License-Identifier: BSD-3-Clause */
/* call.c: the slow paths of a wrapper's frame. */
#include "pmpi/call/call.h"
#include "pmpi/dispatch/next_fill.h"

#include <signal.h>

/*
 * Stacks grow down, so a new frame above the guarded wrapper's frame means that the wrapper was
 * left. This is wrong for a callback on a stack of its own (a coroutine's) that lies above: its
 * calls count as calls outside.
 */
static bool is_above(const struct thread *t, const void *frame)
{
	stack_t signals;

	if ((uintptr_t)frame < t->guard)
		return false;
	/* addresses on a signal stack tell nothing of a wrapper on another */
	return sigaltstack(NULL, &signals) != 0 || !(signals.ss_flags & SS_ONSTACK) ||
		t->guard - (uintptr_t)signals.ss_sp < signals.ss_size;
}

/* True if another function's frame has replaced the guarded wrapper's. */
static bool is_replaced(struct thread *t, void *return_address, void *frame)
{
	const void *code =
		callsite_code_of_frame(t->callsites, (const void *)t->guard, return_address, frame);

	return code && module_kind(code) != MODULE_TRYST;
}

static _Atomic int64_t left_behind;

int64_t calls_left(void)
{
	return atomic_load_explicit(&left_behind, memory_order_relaxed);
}

/* Counts the call that was left; nothing else is known of it. */
static void count_left(struct thread *t)
{
	struct current_call *now = &t->region->now;

	if (now->call == 0)
		return;
	thread_sum(t, now->callsite, now->call)->count++;
	now->call = 0;
	now->mark.kind_mode = 0;
	atomic_fetch_add_explicit(&left_behind, 1, memory_order_relaxed);
}

enum call_outer call_find_outer(struct thread *t, void *return_address, void *frame)
{
	if (!is_above(t, frame) && !is_replaced(t, return_address, frame))
		return t->in_mpi ? OUTER_IN_MPI : OUTER_IN_US;
	count_left(t);
	t->guard = 0;
	t->nested_ticks = 0;
	call_in_mpi(t, false);
	return OUTER_NONE;
}

static bool is_tool_behind(void)
{
	static _Atomic int known; /* 0: not yet */
	int is_tool = atomic_load_explicit(&known, memory_order_relaxed);

	if (!is_tool) {
		is_tool = next_is_tool() ? 1 : -1;
		atomic_store_explicit(&known, is_tool, memory_order_relaxed);
	}
	return is_tool > 0;
}

bool call_nested_counts(struct thread *t, enum call_entry entry, void *return_address, void *frame)
{
	enum module_kind caller = module_kind(return_address);
	/*
	 * Libraries and tools come back through PMPI. Programs come through MPI, and in Fortran
	 * through the binding, which calls PMPI.
	 */
	bool from_program =
		entry == ENTRY_MPI ? caller != MODULE_MPI : caller == MODULE_FORTRAN_BINDING;

	/* Nearly all calls are of this kind, and need no walk of the stack. */
	if (!from_program && !is_above(t, frame) &&
		(caller == MODULE_MPI || (t->in_mpi && is_tool_behind())))
		return false;
	switch (call_find_outer(t, return_address, frame)) {
	case OUTER_NONE:
		return true;
	case OUTER_IN_US:
		/* a signal handler's, in the middle of our own work */
		if (from_program)
			ring_count_loss(&ring_file->dropped_other);
		return false;
	case OUTER_IN_MPI:
		break;
	}
	if (from_program)
		call_in_mpi(t, false);
	return from_program;
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

bool call_begin_plain(
	struct call *c, unsigned fn, enum call_entry entry, void *return_address, void *frame)
{
	if (call_begin(c, fn, entry, return_address, frame))
		return true;
	call_outside(fn);
	return false;
}

/* Number of calls of each function before MPI_Init, or after MPI_Finalize. */
static struct {
	_Atomic uint32_t count[FN_COUNT];
	_Atomic bool over;
} outside;

void call_outside(unsigned fn)
{
	if (!outside.over)
		atomic_fetch_add_explicit(&outside.count[fn], 1, memory_order_relaxed);
}

void call_outside_end(void)
{
	outside.over = true;
}

void call_outside_begin(void)
{
	outside.over = false;
}

bool call_outside_take(uint32_t count[FN_COUNT])
{
	uint32_t any = 0;

	for (unsigned fn = 0; fn < FN_COUNT; fn++)
		any |= count[fn] =
			atomic_exchange_explicit(&outside.count[fn], 0, memory_order_relaxed);
	return any != 0;
}

void call_outside_keep(struct thread *t, const uint32_t count[FN_COUNT])
{
	for (unsigned fn = 0; fn < FN_COUNT; fn++)
		if (count[fn])
			thread_sum(t, CALLSITE_OTHER, fn)->count += count[fn];
}

bool call_begin_always(
	struct call *c, unsigned fn, enum call_entry entry, void *return_address, void *frame)
{
	return call_begin_while(shim.tracking, c, fn, entry, return_address, frame);
}

static __attribute__((noinline)) void end_with_progress(struct call *c)
{
	call_end_in(c, CALL_PROGRESS, false);
}

void call_end_plain(struct call *c, enum call_flag flags)
{
	if (flags & CALL_PROGRESS)
		end_with_progress(c);
	else
		call_end_in(c, CALL_COUNT, false);
}
