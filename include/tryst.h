/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tryst.h: marks that a program can set for tryst.
 *
 *	tryst_phase_begin("assemble");
 *	...
 *	tryst_phase_end();
 *
 * Phases nest, and each thread has its own. Table `phase` has a row for each, and view
 * wait_by_phase the waits of messages that completed in them. Nothing has to be linked: where
 * libtryst.so is not loaded, or nothing is recorded, a mark costs the test of a pointer. For C and
 * C++, with GCC, Clang and compilers that know their attributes.
 */
#ifndef TRYST_H
#define TRYST_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Of libtryst.so; programs use the functions below. GCC's noplt takes the address from where the
 * dynamic linker writes it, also in code that is not position-independent; other compilers do so in
 * position-independent code alone.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define TRYST_WEAK __attribute__((__weak__, __noplt__))
#else
#define TRYST_WEAK __attribute__((__weak__))
#endif
extern void tryst_mark_begin(const char *name) TRYST_WEAK;
extern void tryst_mark_end(void) TRYST_WEAK;

/*
 * A phase begins on this thread. name: at most 255 bytes are kept; it may be freed afterwards.
 * Phases that are more than 64 deep are not recorded. Before MPI_Init has returned and after
 * MPI_Finalize was called nothing happens.
 */
static inline void tryst_phase_begin(const char *name)
{
	if (tryst_mark_begin)
		tryst_mark_begin(name);
}

/* The innermost phase of this thread ends. */
static inline void tryst_phase_end(void)
{
	if (tryst_mark_end)
		tryst_mark_end();
}

#ifdef __cplusplus
}
#endif

#endif
