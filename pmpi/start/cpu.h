/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu.h: which processors the rank may use, and how long it waited for one.
 *
 * Keys of table run. `core_map`: "0-3,8". `cpu_ns` and `cpu_wait_ns`, of the thread that called
 * MPI_Init, from there to MPI_Finalize: how long it ran, and how long it could have run while
 * others had the processor; absent where the kernel does not count that (Linux: CONFIG_SCHED_INFO).
 */
#ifndef TRYST_START_CPU_H
#define TRYST_START_CPU_H

#include "pmpi/record/thread.h"

void cpu_emit_map(struct thread *t);

/* At the end of MPI_Init, and where MPI_Finalize is entered: the time that end_ns is of. */
void cpu_start(void);
void cpu_end(void);

/* Later in MPI_Finalize. */
void cpu_emit_times(struct thread *t);

#endif
