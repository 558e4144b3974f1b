/* SPDX-License-Identifier: BSD-3-Clause */
/* store_fuzzer.c: libFuzzer's entry; `make fuzz-store` builds and runs it with clang. */
#include <stdlib.h>

#include "tests/fuzz/store_target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (store_target_begin())
		abort();
	atexit(store_target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	store_target_run(data, size);
	return 0;
}
