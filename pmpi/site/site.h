/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h: site mode, TRYST_RECORD=profile: sums of all calls, in one small file a job. */
#ifndef TRYST_SITE_SITE_H
#define TRYST_SITE_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "pmpi/dispatch/dispatch.h"

/* True if TRYST_RECORD asks for it. */
bool site_is_wanted(void);

/* The wrappers of site mode, in place of all others; *count of them. After next_fill(). */
struct shim_entry *site_entries(size_t *count);

#endif
