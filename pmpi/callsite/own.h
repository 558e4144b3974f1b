/* SPDX-License-Identifier: BSD-3-Clause */
/* own.h: from an instruction of a library to the program's own code. Private to this folder. */
#ifndef TRYST_CALLSITE_OWN_H
#define TRYST_CALLSITE_OWN_H

#include "pmpi/callsite/callsite.h"

/*
 * The return address of the nearest frame in the program's own code, for an instruction at
 * `address` of a thread with that stack. Own code is in the executable, or in a library that has
 * called MPI itself. NULL if `address` is own code, or if the copy does not reach any. Some 0.2 us
 * a frame. Also in a signal handler.
 */
const void *own_caller(const void *address, const struct callsite_stack *stack);

#endif
