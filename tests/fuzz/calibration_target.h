/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_target.h: files of `tryst calibrate` whose values are not what they should be.
 *
 * store_target.h damages bytes; SQLite refuses most of that. Here SQLite finds nothing wrong: an input is
 * a list of edits to the tables of a good file, each 4 bytes long:
 *
 *	which column (of all tables), which row (255: all), which value, or what else is done to the
 *	table; see calibration_target.c
 *
 * What is read afterwards is used by all means that there are: predictions of each model, fits of the
 * samples, the shim's tables.
 */
#ifndef TRYST_CALIBRATION_TARGET_H
#define TRYST_CALIBRATION_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Makes the good file. Called once. Returns 0 or -1. */
int calibration_target_begin(void);

/* Edits, reads, uses. Returns 1 where the file was read, 0 where it was refused with a line. */
int calibration_target_run(const uint8_t *data, size_t size);

/* Removes what calibration_target_begin() made. */
void calibration_target_end(void);

#endif
