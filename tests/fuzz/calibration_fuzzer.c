/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_fuzzer.c: libFuzzer's entry; `make fuzz-calibration` builds and runs it with clang. */
#include <stdlib.h>

#include "tests/fuzz/calibration_target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (calibration_target_begin())
		abort();
	atexit(calibration_target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	calibration_target_run(data, size);
	return 0;
}
