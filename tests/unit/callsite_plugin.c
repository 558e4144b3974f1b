/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that calls back, from one line or the other. Built under several names: as a plugin
 * that comes and goes, and as what MPI's own libraries are called.
 */
void plugin_call(void (*call)(void *), void *user, int line);

__attribute__((noinline)) void plugin_call(void (*call)(void *), void *user, int line)
{
	if (line == 1) {
		call(user);
		__asm__ volatile("" : : "i"(1) : "memory");
	} else {
		call(user);
		__asm__ volatile("nop" : : "i"(2) : "memory");
	}
}
