/* SPDX-License-Identifier: BSD-3-Clause */
/* record_shape.h: is a record (include/record.h) what its type says? */
#ifndef TRYST_FORMAT_RUN_RECORD_SHAPE_H
#define TRYST_FORMAT_RUN_RECORD_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Looks at the record with all of its `bytes`, at least a struct rec_head, whose type may be
 * anything. Ends its texts with NUL.
 */
bool record_is_whole(uint8_t *record, size_t bytes);

#endif
