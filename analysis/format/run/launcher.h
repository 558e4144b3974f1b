/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: what a launcher tells each process that it starts, in its environment. */
#ifndef TRYST_FORMAT_RUN_LAUNCHER_H
#define TRYST_FORMAT_RUN_LAUNCHER_H

/* This process among those started together, from 0; -1: no launcher says. */
int launcher_rank(void);

/* How many processes were started together; 0: no launcher says. */
int launcher_size(void);

#endif
