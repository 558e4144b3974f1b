/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi.h: by what rule a frame's end is found. Private to this folder.
 */
#ifndef TRYST_CALLSITE_CFI_H
#define TRYST_CALLSITE_CFI_H

#include <stdbool.h>
#include <stdint.h>

/* DWARF's numbers of the registers whose places rules tell. */
#if defined(__x86_64__)
enum { CFI_FRAME_POINTER = 6, CFI_RETURN_ADDRESS = 16 };
#elif defined(__aarch64__)
enum { CFI_FRAME_POINTER = 29, CFI_RETURN_ADDRESS = 30 };
#endif

/* How the canonical frame address (CFA) follows from the registers at a return address. */
enum cfa_kind {
	CFA_UNKNOWN,  /* no unwind information, or none of the forms below */
	CFA_REGISTER, /* register + offset */
	CFA_WORD      /* the word at register + offset */
};

/* Where a register of the caller's was saved. */
struct cfi_saved {
	bool is_saved;
	int64_t offset; /* from the CFA */
};

struct cfa_rule {
	enum cfa_kind kind;
	unsigned reg; /* DWARF's number, which is libunwind's */
	int64_t offset;
	struct cfi_saved frame_pointer;
	struct cfi_saved return_address;
	bool is_signed; /* that address, as aarch64 can */
};

/* The rule for the code that will be returned to at `return_address`. Some 0.2 us. */
struct cfa_rule cfa_rule_of(const void *return_address);

/* The same, if the code's module is already known (module.h). */
struct module_frames;
struct cfa_rule cfa_rule_in(const struct module_frames *frames, const void *return_address);

#endif
