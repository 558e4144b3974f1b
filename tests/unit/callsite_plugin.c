/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that calls back, from one line or the other. Built under several names: as a plugin
 * that comes and goes, and as what MPI's own libraries are called.
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
