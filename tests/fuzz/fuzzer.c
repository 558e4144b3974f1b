/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzzer.c: libFuzzer's entry; `make fuzz-NAME` builds and runs it with clang. */
#include <stdlib.h>

#include "tests/fuzz/target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (target_begin())
		abort();
	atexit(target_end);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return target_run(data, size) < 0 ? -1 : 0;
}
