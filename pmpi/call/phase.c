/* SPDX-License-Identifier: BSD-3-Clause */
/* phase.c: phases, and recording switched off and on by the program. */
#include "pmpi/call/phase.h"

#include <stdio.h>

#include "pmpi/call/request.h"
#include "pmpi/sample/sample.h"

enum { NAME_BYTES = 255 };

static uint32_t nphases;         /* numbers given on this rank */
static uint32_t unrecorded;      /* the open phase in which recording is off; 0: it is on */
static int64_t unrecorded_ns;    /* time in those that have ended */
static uint64_t unrecorded_from; /* [ticks] */

static void emit(struct thread *t, enum phase_event event, uint32_t number, int level,
	uint64_t ticks, const char *name)
{
	size_t length = strnlen(name, NAME_BYTES);
	uint32_t bytes = (uint32_t)(sizeof(struct rec_phase) + length + 8) / 8 * 8;
	struct rec_phase *r = record_reserve(t, bytes);

	memset(r, 0, bytes);
	r->head = (struct rec_head){
		.type = REC_PHASE, .pad = event, .words = (uint16_t)(bytes / 8), .id = number
	};
	r->ticks = ticks;
	r->level = level;
	memcpy(r->text, name, length);
	record_commit(t, bytes);
}

static uint32_t next_number(void)
{
	return __atomic_add_fetch(&nphases, 1, __ATOMIC_RELAXED);
}

static void begin_phase(struct thread *t, int level, uint64_t ticks, const char *name)
{
	if (t->nphases < PHASES_OPEN) {
		t->phase[t->nphases] = (struct phase_open){ next_number(), level };
		emit(t, PHASE_BEGIN, t->phase[t->nphases].number, level, ticks, name);
	}
	t->nphases++;
}

/* Ends the innermost phase. */
static void end_phase(struct thread *t, uint64_t ticks)
{
	if (t->nphases == 0)
		return;
	t->nphases--;
	if (t->nphases < PHASES_OPEN)
		emit(t, PHASE_END, t->phase[t->nphases].number, t->phase[t->nphases].level, ticks,
			"");
}

/* Ends the innermost phase of this level, and all phases inside it. */
static void end_level(struct thread *t, int level, uint64_t ticks)
{
	uint32_t i = t->nphases < PHASES_OPEN ? t->nphases : PHASES_OPEN;

	while (i > 0 && t->phase[i - 1].level != level)
		i--;
	if (i == 0)
		return;
	while (t->nphases >= i)
		end_phase(t, ticks);
}

static void off(struct thread *t, uint64_t ticks)
{
	unrecorded = next_number();
	unrecorded_from = ticks;
	emit(t, PHASE_BEGIN, unrecorded, 0, ticks, PHASE_UNRECORDED);
	sample_pause();
	shim.recording = false;
}

static void on(struct thread *t, uint64_t ticks)
{
	emit(t, PHASE_END, unrecorded, 0, ticks, "");
	unrecorded = 0;
	unrecorded_ns += clock_ns(ticks - unrecorded_from);
	record_key_number(t, "unrecorded_ns", unrecorded_ns);
	sample_resume();
	shim.recording = true;
}

void phase_start(struct thread *t)
{
	if (shim.settings.record == RECORD_PCONTROL)
		off(t, clock_ticks());
}

void phase_pcontrol(struct call *c, int level)
{
	char name[NAME_BYTES];

	switch (level) {
	case 0:
		if (!unrecorded) {
			request_leave(c);
			off(c->t, c->leave);
		}
		return;
	case 1:
		if (unrecorded)
			on(c->t, c->leave);
		return;
	case 2:
		if (c->t->head)
			ring_flush(c->t);
		return;
	default:
		if (level < 0) {
			end_level(c->t, -level, c->enter);
			return;
		}
		snprintf(name, sizeof(name), "MPI_Pcontrol(%d)", level);
		begin_phase(c->t, level, c->leave, name);
	}
}

void phase_finish(void)
{
	if (unrecorded && thread_self)
		on(thread_self, clock_ticks());
}

/* The state that a mark's own frame replaces. */
struct marking {
	struct thread *t;
	uintptr_t outer;
	bool was_in_mpi;
};

/*
 * Sets the guard as a wrapper does, so that a signal handler's calls find no half-written record.
 * False: nothing is recorded, or a handler makes this mark while it interrupts our own code.
 */
static bool mark_enter(struct marking *m, void *return_address, void *frame)
{
	struct thread *t = thread_self;

	if (!shim.tracking)
		return false;
	if (unlikely(!t))
		t = thread_start();
	if (!t)
		return false;
	if (unlikely(t->guard) && call_find_outer(t, return_address, frame) == OUTER_IN_US) {
		ring_count_loss(&ring_file->dropped_other);
		return false;
	}
	*m = (struct marking){ t, t->guard, t->guard && t->in_mpi };
	call_in_mpi(t, false);
	t->guard = (uintptr_t)frame;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

static void mark_leave(const struct marking *m)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	m->t->guard = m->outer;
	call_in_mpi(m->t, m->was_in_mpi);
}

static void mark_begin(const char *name)
{
	struct marking m;

	if (!mark_enter(&m, __builtin_return_address(0), __builtin_frame_address(0)))
		return;
	begin_phase(m.t, PHASE_NO_LEVEL, clock_ticks(), name ? name : "");
	mark_leave(&m);
}

static void mark_end(void)
{
	struct marking m;

	if (!mark_enter(&m, __builtin_return_address(0), __builtin_frame_address(0)))
		return;
	end_phase(m.t, clock_ticks());
	mark_leave(&m);
}

void phase_lend(struct shim_marks *marks)
{
	__atomic_store_n(&marks->end, mark_end, __ATOMIC_RELEASE);
	__atomic_store_n(&marks->begin, mark_begin, __ATOMIC_RELEASE);
}
