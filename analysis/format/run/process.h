/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h: which process wrote a ring, and whether it is still there. */
#ifndef TRYST_FORMAT_RUN_PROCESS_H
#define TRYST_FORMAT_RUN_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "record.h"

enum process_state {
	PROCESS_ALIVE,    /* there, or there is no telling: other namespaces */
	PROCESS_DEAD,     /* this host knows that it is gone */
	PROCESS_ELSEWHERE /* another host's: unknown here */
};

/*
 * Fills pid, start_time, boot_id, host and pid_namespace of *h for the calling process. What
 * cannot be read stays 0: without a boot id the process counts as another host's.
 */
void process_identify(struct ring_file *h);

/* Looks for the process that *h names. */
enum process_state process_look(const struct ring_file *h);

/*
 * Is there no process of that number in our pid namespace, or one that has ended and is unreaped?
 */
bool process_has_ended(pid_t pid);

#endif
