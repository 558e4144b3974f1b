/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h: records of jobs in site mode, which have no calls to report on. */
#ifndef TRYST_DATASET_SITE_H
#define TRYST_DATASET_SITE_H

#include <stdbool.h>

#include "analysis/base/say.h"

/*
 * If `path` is such a record or a directory with one, says what to do with it, and returns true.
 */
bool site_say(const char *path, const struct say *say);

#endif
