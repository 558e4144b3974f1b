/* SPDX-License-Identifier: BSD-3-Clause */
/* run_fuzzer.c: libFuzzer's entry; `make fuzz-run` builds and runs it with clang. */
#include <stdlib.h>

#include "tests/fuzz/run_target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (run_target_begin())
		abort();
	atexit(run_target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run_target_run(data, size);
	return 0;
}
