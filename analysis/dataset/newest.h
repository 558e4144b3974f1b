/* SPDX-License-Identifier: BSD-3-Clause */
/* newest.h: the run that is meant where none is named. */
#ifndef TRYST_DATASET_NEWEST_H
#define TRYST_DATASET_NEWEST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The run in `dir` or in one of its directories that began last. Puts its path into path[size]. 0;
 * -ENOENT: there is none; or another negative errno. Prints nothing.
 */
int dataset_newest(const char *dir, char *path, size_t size);

/*
 * The last of DIR.2, DIR.3 and so on whose run began after that in `dir`: tryst run puts later runs
 * there. Puts its path into path[size]. False: there is none.
 */
bool dataset_later(const char *dir, char *path, size_t size);

#endif
