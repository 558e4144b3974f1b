/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: facts that a launcher puts into the environment of each process it starts. */
#ifndef TRYST_FORMAT_RUN_LAUNCHER_H
#define TRYST_FORMAT_RUN_LAUNCHER_H

/* The number of this process among those started together, from 0; -1: unknown. */
int launcher_rank(void);

/* The number of processes started together; 0: unknown. */
int launcher_size(void);

/* The number of this process among those started together on its host, from 0; -1: unknown. */
int launcher_local_rank(void);

#endif
