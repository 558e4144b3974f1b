/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call.h: the frame of every wrapper.
 *
 *   call_begin   may this call be recorded? takes the callsite
 *   call_enter   clock, and the mark "this thread is in this call"
 *   (the MPI library's function)
 *   call_leave   clock
 *   call_end     sums, busy interval, guard
 *
 * Only the library's function runs between enter and leave, with one exception: a receive of a long
 * message first asks whether the message was announced (wrap/p2p.h). If it was, the call's `enter`
 * is set to the end of the question, and `tool_ticks` has its time.
 *
 * The guard. A library (ROMIO, a Fortran binding, another tool) calls PMPI_X inside a call that is
 * already counted; such calls must not count. Calls that the program makes from its callbacks must.
 * The guard is the address of the outermost wrapper's frame. It is no counter, since an error
 * handler may jump or throw out of MPI. After that, a later wrapper whose frame stands above the
 * stale one replaces it. If the later frame stands below, a walk up the stack finds out whether the
 * guarded wrapper is still there.
 *
 * MPI calls of a signal handler that interrupts our own code (between call_begin and call_enter, or
 * call_leave and call_end) are forwarded and counted as lost, since tables and ring may be half
 * changed.
 */
#ifndef TRYST_CALL_CALL_H
#define TRYST_CALL_CALL_H

#include "functions.h"
#include "pmpi/callsite/module.h"
#include "pmpi/record/thread.h"
#include "pmpi/sample/sample.h"

enum call_entry { ENTRY_MPI, ENTRY_PMPI };

enum call_flag {
	CALL_COUNT = 0,
	CALL_PROGRESS = 1 /* the library may have moved messages: a busy interval */
};

/*
 * Inlined wrappers pass copies of it to functions that are not inlined. While its address is not
 * taken, the compiler keeps it in registers.
 */
struct call {
	struct thread *t;
	struct call_sum *sum;
	uint64_t enter;
	uint64_t leave;
	uintptr_t outer; /* guard to restore */
	uint64_t outer_nested;
	/* number of ops posted before this call; only set by calls about requests */
	uint64_t posts;
	uint32_t site;
	uint16_t fn;
	struct current_call outer_now; /* set only inside another call */
};

/* State of a thread's guarded wrapper, seen from one of our frames that was entered later. */
enum call_outer {
	OUTER_NONE,   /* it was left by a jump or an exception: the guard is off now */
	OUTER_IN_MPI, /* it is in the library's function, which called back */
	OUTER_IN_US   /* a signal handler has interrupted it in our own code */
};
enum call_outer call_find_outer(struct thread *t, void *return_address, void *frame);

/* Number of calls left by a jump, on all threads. The profile counts them without a time. */
int64_t calls_left(void);

/* The slow path of call_begin(): decides whether a call inside another one's wrapper counts. */
bool call_nested_counts(struct thread *t, enum call_entry entry, void *return_address, void *frame);

/*
 * False: this call is not recorded; forward it and do nothing else.
 * return_address and frame are the wrapper's own.
 */
HOT bool call_begin_while(bool on, struct call *c, unsigned fn, enum call_entry entry,
	void *return_address, void *frame)
{
	struct thread *t = thread_self;

	if (unlikely(!on))
		return false;
	if (unlikely(!t)) {
		t = thread_start();
		if (!t)
			return false;
	}
	if (unlikely(t->guard) && !call_nested_counts(t, entry, return_address, frame))
		return false;
	c->t = t;
	c->outer = t->guard;
	if (unlikely(c->outer))
		c->outer_now = t->region->now;
	c->fn = (uint16_t)fn;
	c->outer_nested = t->nested_ticks;
	t->nested_ticks = 0;
	t->guard = (uintptr_t)frame;
	c->site = callsite_get(t->callsites, fn, return_address, frame);
	c->sum = t->sum = thread_sum(t, c->site, fn);
	return true;
}

HOT bool call_begin(
	struct call *c, unsigned fn, enum call_entry entry, void *return_address, void *frame)
{
	return call_begin_while(atomic_load_explicit(&shim.recording, memory_order_relaxed), c, fn,
		entry, return_address, frame);
}

/* Signal handlers on this thread must see the store at this point. */
HOT void call_in_mpi(struct thread *t, bool in_mpi)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&t->in_mpi, in_mpi, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* For a call that moves no messages. */
HOT void call_enter_plain(struct call *c)
{
	struct current_call *now = &c->t->region->now;

	now->callsite = c->site;
	now->call = c->fn;
	call_in_mpi(c->t, true);
	c->enter = clock_ticks();
	now->enter_ticks = c->enter;
}

/* The samples that the thread made before come first: they lie between two calls. */
HOT void call_enter(struct call *c)
{
	sample_look(c->t, c->site);
	call_enter_plain(c);
}

HOT void call_leave(struct call *c)
{
	c->leave = clock_ticks();
	call_in_mpi(c->t, false);
}

/* Ends a busy interval. It is joined to the previous one if that is close; else that is recorded.
 */
HOT void call_busy(struct thread *t, uint64_t enter, uint64_t leave)
{
	struct thread_region *r = t->region;

	if (enter - r->busy_leave_ticks >= shim_clock.busy_join) {
		if (likely(r->busy_enter_ticks)) {
			struct rec_busy *busy = record_reserve(t, sizeof(*busy));

			busy->head =
				(struct rec_head){ .type = REC_BUSY, .words = sizeof(*busy) / 8 };
			busy->enter_ticks = r->busy_enter_ticks;
			busy->leave_ticks = r->busy_leave_ticks;
			t->in_ring[TABLE_BUSY]++;
			record_commit(t, sizeof(*busy));
		}
		r->busy_enter_ticks = enter;
	}
	r->busy_leave_ticks = leave;
}

/*
 * The part of call_end() for calls that count inside another, and for their outer calls. Returns
 * the call's own part of its `ticks`.
 */
uint64_t call_end_nested(const struct call *c, uint64_t ticks);

HOT void call_end_in(struct call *c, enum call_flag flags, bool in_registers)
{
	struct thread *t = c->t;
	struct current_call *now = &t->region->now;
	struct call_sum *sum = c->sum;
	uint64_t ticks = c->leave - c->enter;

	now->call = 0;
	now->mark.kind_mode = 0;
	if (unlikely(c->outer | t->nested_ticks | c->outer_nested)) {
		if (in_registers) {
			struct call nested = *c;

			ticks = call_end_nested(&nested, ticks);
		} else {
			ticks = call_end_nested(c, ticks);
		}
	}
	sum->count++;
	sum->ticks += ticks;
	if (unlikely(ticks > sum->max_ticks))
		sum->max_ticks = ticks;
	if (flags & CALL_PROGRESS) {
		call_busy(t, c->enter, c->leave);
		t->busy_site = c->site;
	}
	t->guard = c->outer;
}

HOT void call_end(struct call *c, enum call_flag flags)
{
	call_end_in(c, flags, true);
}

/* Ends a call and returns its result; MPI_SUCCESS is 0 (MPI 4.0, 9.4). */
HOT void call_result(struct call *c, int rc)
{
	if (unlikely(rc != 0))
		c->sum->errors++;
}

/* The same, not inlined: for the hundreds of functions that programs seldom call. */
bool call_begin_plain(
	struct call *c, unsigned fn, enum call_entry entry, void *return_address, void *frame);
/* For calls that make or free objects, which must be tracked even after MPI_Pcontrol(0). */
bool call_begin_always(
	struct call *c, unsigned fn, enum call_entry entry, void *return_address, void *frame);
void call_end_plain(struct call *c, enum call_flag flags);

/*
 * Calls before MPI_Init and after MPI_Finalize are only counted, so that programs that never call
 * MPI_Init pay nothing. call_outside_end(): call it when MPI_Init begins; the library's own calls
 * inside MPI_Init are not counted. call_outside_begin(): call it when MPI_Finalize has returned.
 * call_outside_take(): moves the counts to `count`; false if there are none. call_outside_keep():
 * adds them to the sums of a thread, without callsite and time.
 */
void call_outside(unsigned fn);
void call_outside_end(void);
void call_outside_begin(void);
bool call_outside_take(uint32_t count[FN_COUNT]);
void call_outside_keep(struct thread *t, const uint32_t count[FN_COUNT]);

#endif
