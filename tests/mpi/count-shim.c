/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count-shim.c: counts MPI calls, in a way of its own, to check what tryst counts.
 *
 * Preloaded before or behind libtryst.so. It knows nothing of include/mpi.def: "count-names.h" has
 * a line COUNT(number, symbol) for each function that `nm -D` shows in the MPI library. An entry
 * counts and jumps on, so it sees the caller but no return. A call counts if its caller is
 *
 *   MPI_X    any object but the MPI library itself (and its plug-ins)
 *   PMPI_X   the same, but not tryst either: those are forwarded calls of Fortran programs, or its
 *            own. So Fortran programs are counted only where this library stands before tryst.
 *
 * Writes "MPI_Send 5" a line into $COUNT_DIR/RANK when the process ends, if MPI_Init was called.
 * x86-64 only.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(number, symbol) #symbol,
static const char *const symbols[] = {
#include "count-names.h"
};
#undef COUNT

enum { NSYMBOLS = sizeof(symbols) / sizeof(*symbols), CACHE = 1 << 14 };
enum caller { CALLER_PROGRAM, CALLER_TRYST, CALLER_MPI };

static void *_Atomic real[NSYMBOLS];
static atomic_ulong count[NSYMBOLS];
static _Atomic bool initialised;
static _Atomic uintptr_t cache[CACHE]; /* return address | enum caller << 56 */

static enum caller classify(void *return_address)
{
	static const char *const library[] = { "libmpi.so", "libmpich.so", "libopen-rte",
		"libopen-pal", "mca_", "libmca_", "libpmix", "libucp", "libuct" };
	Dl_info info;
	const char *name;

	if (!dladdr(return_address, &info) || !info.dli_fname)
		return CALLER_PROGRAM;
	name = strrchr(info.dli_fname, '/');
	name = name ? name + 1 : info.dli_fname;
	if (strncmp(name, "tryst-", 6) == 0 || strncmp(name, "libtryst", 8) == 0)
		return CALLER_TRYST;
	for (size_t i = 0; i < sizeof(library) / sizeof(*library); i++)
		if (strncmp(name, library[i], strlen(library[i])) == 0)
			return CALLER_MPI;
	return CALLER_PROGRAM;
}

static enum caller caller_of(void *return_address)
{
	uintptr_t address = (uintptr_t)return_address;
	size_t slot = (address ^ address >> 14) % CACHE;
	uintptr_t seen = atomic_load_explicit(&cache[slot], memory_order_relaxed);
	enum caller caller;

	if ((seen & ~((uintptr_t)255 << 56)) == address)
		return (enum caller)(seen >> 56);
	caller = classify(return_address);
	atomic_store_explicit(
		&cache[slot], address | (uintptr_t)caller << 56, memory_order_relaxed);
	return caller;
}

static unsigned long sum_of(const char *name)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < NSYMBOLS; i++)
		if (strcmp(symbols[i] + (symbols[i][0] == 'P'), name) == 0)
			sum += count[i];
	return sum;
}

__attribute__((destructor)) static void write_counts(void)
{
	const char *dir = getenv("COUNT_DIR");
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	char path[4096];
	FILE *f;

	if (!dir || !initialised)
		return;
	if (!rank)
		rank = getenv("PMI_RANK");
	snprintf(path, sizeof(path), "%s/%s", dir, rank ? rank : "0");
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		return;
	}
	for (size_t i = 0; i < NSYMBOLS; i++)
		if (symbols[i][0] == 'M' && sum_of(symbols[i]))
			fprintf(f, "%s %lu\n", symbols[i], sum_of(symbols[i]));
	fclose(f);
}

/* Called by each entry; returns where to go on. */
__attribute__((used)) static void *count_call(unsigned i, void *return_address)
{
	void *function = real[i];
	const char *name = symbols[i];
	bool forwarded = name[0] == 'P';
	enum caller caller = caller_of(return_address);

	if (!function) {
		function = dlsym(RTLD_NEXT, name);
		if (!function) {
			fprintf(stderr, "count-shim: no %s\n", name);
			_exit(127);
		}
		real[i] = function;
	}
	if (caller == CALLER_MPI || (forwarded && caller == CALLER_TRYST))
		return function;
	name += forwarded;
	if (strcmp(name, "MPI_Init") == 0 || strcmp(name, "MPI_Init_thread") == 0)
		initialised = true;
	atomic_fetch_add_explicit(&count[i], 1, memory_order_relaxed);
	return function;
}

/* Keeps all registers that may carry arguments; the return address stands above the number. */
__asm__(".text\n"
	"count_entry:\n"
	"	push %rax; push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9\n"
	"	sub $136, %rsp\n"
	"	movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp)\n"
	"	movups %xmm3, 48(%rsp); movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp)\n"
	"	movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)\n"
	"	mov 192(%rsp), %rdi\n"
	"	mov 200(%rsp), %rsi\n"
	"	call count_call\n"
	"	mov %rax, 192(%rsp)\n"
	"	movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2\n"
	"	movups 48(%rsp), %xmm3; movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5\n"
	"	movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7\n"
	"	add $136, %rsp\n"
	"	pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi; pop %rax\n"
	"	ret\n"); /* to the function, whose address took the number's place */

#define COUNT(number, symbol)                                                                      \
	__asm__(".globl " #symbol "\n.type " #symbol ", @function\n" #symbol ": push $" #number    \
		"\n jmp count_entry\n");
#include "count-names.h"
