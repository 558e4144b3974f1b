/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_plugin.c: a library that calls back, from one of two lines. It is built under several
 * names: as a plugin that comes and goes, and under the names of MPI's own libraries.
 */
void plugin_call(void (*call)(void *), void *user, int line);

__attribute__((noinline)) void plugin_call(void (*call)(void *), void *user, int line)
{
	/* what stands around the two calls keeps compilers from making one of them */
	if (line == 1) {
		__asm__ volatile("" : : : "memory");
		call(user);
		__asm__ volatile("" : : : "memory");
	} else {
		__asm__ volatile("nop" : : : "memory");
		call(user);
		__asm__ volatile("nop" : : : "memory");
	}
}
