/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch_aarch64.S: as dispatch_x86_64.S. The slot is read with acquire, so that who sees a
 * wrapper's address also sees the tables that the wrapper reads.
 */
#ifdef __aarch64__

/* The exported entries. */
	.macro entry slot, name
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	adrp	x16, dispatch_slot + 8 * \slot
	add	x16, x16, :lo12:dispatch_slot + 8 * \slot
	ldar	x16, [x16]
	br	x16
	.size	\name, . - \name
	.endm

	.text
	.p2align 6
	.cfi_startproc
#define TRAMPOLINE(number, name) entry number, name
#include "trampolines.h"
#undef TRAMPOLINE
	.cfi_endproc

/* Their lazy stubs. */
	.macro stub slot
.Lstub_\slot:
	mov	w17, #\slot
	b	dispatch_lazy
	.endm

	.globl	dispatch_stub_begin
	.hidden	dispatch_stub_begin
dispatch_stub_begin:
	.cfi_startproc
#define TRAMPOLINE(number, name) stub number
#include "trampolines.h"
#undef TRAMPOLINE
	.cfi_endproc
	.globl	dispatch_stub_end
	.hidden	dispatch_stub_end
dispatch_stub_end:

/* The slot stands in w17. Everything that may carry an argument is kept; x8 too. */
	.hidden	dispatch_resolve
	.type	dispatch_lazy, %function
	.p2align 4
dispatch_lazy:
	.cfi_startproc
	stp	x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset 29, -224
	.cfi_offset 30, -216
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	str	x8, [sp, #80]
	stp	q0, q1, [sp, #96]
	stp	q2, q3, [sp, #128]
	stp	q4, q5, [sp, #160]
	stp	q6, q7, [sp, #192]
	mov	w0, w17
	bl	dispatch_resolve
	mov	x16, x0
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldr	x8, [sp, #80]
	ldp	q0, q1, [sp, #96]
	ldp	q2, q3, [sp, #128]
	ldp	q4, q5, [sp, #160]
	ldp	q6, q7, [sp, #192]
	ldp	x29, x30, [sp], #224
	.cfi_def_cfa_offset 0
	.cfi_restore 29
	.cfi_restore 30
	br	x16
	.cfi_endproc
	.size	dispatch_lazy, . - dispatch_lazy

/* The table; a slot that no entry uses is 0. */
	.macro slot slot
	.org	dispatch_slot + 8 * \slot
	.xword	.Lstub_\slot
	.endm

	.data
	.p2align 6
	.globl	dispatch_slot
	.hidden	dispatch_slot
	.type	dispatch_slot, %object
dispatch_slot:
#define TRAMPOLINE(number, name) slot number
#include "trampolines.h"
#undef TRAMPOLINE
	.org	dispatch_slot + 8 * TRAMPOLINE_SLOTS
	.size	dispatch_slot, . - dispatch_slot

#endif

	.section .note.GNU-stack, "", %progbits
