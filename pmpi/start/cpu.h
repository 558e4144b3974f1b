/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu.h: which processors the rank may use, and how long it waited for one.
 *
 * Keys of table run. `core_map`: the processors, as in "0-3,8". `cpu_ns`, `cpu_wait_ns`: how long
 * the thread that called MPI_Init ran, and was ready to run but had no CPU, from MPI_Init to
 * MPI_Finalize. They are absent if the kernel does not count this (Linux: CONFIG_SCHED_INFO).
 */
#ifndef TRYST_START_CPU_H
#define TRYST_START_CPU_H

#include "pmpi/record/thread.h"

/* Records core_map. */
void cpu_emit_map(struct thread *t);

/* Called at the end of MPI_Init, and on entry to MPI_Finalize, when end_ns is taken. */
void cpu_start(void);
void cpu_end(void);

/* Later in MPI_Finalize. */
void cpu_emit_times(struct thread *t);

#endif
