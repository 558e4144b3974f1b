/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h: the process that writes a ring: its identity, and whether it still runs. */
#ifndef TRYST_FORMAT_RUN_PROCESS_H
#define TRYST_FORMAT_RUN_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "record.h"

enum process_state {
	PROCESS_ALIVE,    /* it runs, or may run in another namespace */
	PROCESS_DEAD,     /* it is gone, as its own host knows */
	PROCESS_ELSEWHERE /* on another host: unknown here */
};

/*
 * Fills pid, start_time, boot_id, host and pid_namespace of *h for the calling process. A field
 * that cannot be read stays 0: without a boot id the process counts as another host's.
 */
void process_identify(struct ring_file *h);

/* Looks for the process that *h names. */
enum process_state process_look(const struct ring_file *h);

/*
 * A descriptor of that process (pidfd), readable once it has ended. -1 if the process is not surely
 * the one that *h names, or if the kernel has no such descriptors.
 */
int process_open(const struct ring_file *h);

/*
 * True if our pid namespace has no process of that number, or one that has ended unreaped.
 */
bool process_has_ended(pid_t pid);

#endif
