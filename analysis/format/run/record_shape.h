/* SPDX-License-Identifier: BSD-3-Clause */
/* record_shape.h: checks the shape of records (include/record.h). */
#ifndef TRYST_FORMAT_RUN_RECORD_SHAPE_H
#define TRYST_FORMAT_RUN_RECORD_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if the record of `bytes`, at least a struct rec_head, has the shape that its type requires.
 * Any type is allowed as input. Ends its texts with NUL.
 */
bool record_is_whole(uint8_t *record, size_t bytes);

#endif
