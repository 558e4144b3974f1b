/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample.h: the look at a thread's samples at the beginning of each call that may move messages.
 *
 * struct thread has the address of a word that differs from `sample_seen` while there is something
 * to do: of the kernel's page, or sample_nothing for a thread without samples.
 */
#ifndef TRYST_SAMPLE_SAMPLE_H
#define TRYST_SAMPLE_SAMPLE_H

#include "pmpi/record/thread.h"

/*
 * In MPI_Init, before the first record_append() of a call: starts sampling if the settings say so.
 * `nranks` ranks of this host share what the kernel lets a user lock.
 */
void sample_start(struct thread *t, int nranks);

/* Recording is off from here: samples are left out until sample_resume(). */
void sample_pause(void);
void sample_resume(void);

/*
 * In the child after fork(): ends sampling. `t` is the thread that forked, or NULL. A signal
 * handler may have forked in the middle of a call or of sample_read(); the child then finishes it.
 */
void sample_forget(struct thread *t);

/* At the end: keys of table run. */
void sample_emit(struct thread *t);

/* Reads what is new. `site` is the callsite of the call that the thread enters. */
void sample_read(struct thread *t, uint32_t site);

HOT void sample_look(struct thread *t, uint32_t site)
{
	if (unlikely(__atomic_load_n(t->sample_head, __ATOMIC_RELAXED) != t->sample_seen))
		sample_read(t, site);
}

#endif
