/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target.h: what each target is to those that drive it: fuzzer.c, libFuzzer's entry, and the tests
 * test_NAME_damage.c. One NAME_target.c is linked with either; it says what its inputs are.
 */
#ifndef TRYST_TARGET_H
#define TRYST_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Makes what the inputs change. Called once. Returns 0 or -1. */
int target_begin(void);

/*
 * Whatever the input, this must come back. Returns 1 where something was read, 0 where it was
 * refused, -1 where the bytes are no input.
 */
int target_run(const uint8_t *data, size_t size);

/* Removes what target_begin() made. */
void target_end(void);

#endif
