/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch_x86_64.S: the entries that libtryst.so exports. A call costs one indirect jump through
 * dispatch_slot[]; a slot holds the address of its lazy stub until dispatch_resolve() fills it.
 */
#ifdef __x86_64__

/* The exported entries. */
	.macro entry slot, name
	.globl	\name
	.type	\name, @function
	.p2align 3
\name:
	jmp	*dispatch_slot + 8 * \slot(%rip)
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
	movl	$\slot, %r11d
	jmp	dispatch_lazy
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

/* The slot stands in r11d. Everything that may carry an argument is kept. */
	.hidden	dispatch_resolve
	.type	dispatch_lazy, @function
	.p2align 4
dispatch_lazy:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$192, %rsp
	movq	%rax, 0(%rsp)
	movq	%rdi, 8(%rsp)
	movq	%rsi, 16(%rsp)
	movq	%rdx, 24(%rsp)
	movq	%rcx, 32(%rsp)
	movq	%r8, 40(%rsp)
	movq	%r9, 48(%rsp)
	movq	%r10, 56(%rsp)
	movaps	%xmm0, 64(%rsp)
	movaps	%xmm1, 80(%rsp)
	movaps	%xmm2, 96(%rsp)
	movaps	%xmm3, 112(%rsp)
	movaps	%xmm4, 128(%rsp)
	movaps	%xmm5, 144(%rsp)
	movaps	%xmm6, 160(%rsp)
	movaps	%xmm7, 176(%rsp)
	movl	%r11d, %edi
	call	dispatch_resolve
	movq	%rax, %r11
	movq	0(%rsp), %rax
	movq	8(%rsp), %rdi
	movq	16(%rsp), %rsi
	movq	24(%rsp), %rdx
	movq	32(%rsp), %rcx
	movq	40(%rsp), %r8
	movq	48(%rsp), %r9
	movq	56(%rsp), %r10
	movaps	64(%rsp), %xmm0
	movaps	80(%rsp), %xmm1
	movaps	96(%rsp), %xmm2
	movaps	112(%rsp), %xmm3
	movaps	128(%rsp), %xmm4
	movaps	144(%rsp), %xmm5
	movaps	160(%rsp), %xmm6
	movaps	176(%rsp), %xmm7
	leave
	.cfi_def_cfa %rsp, 8
	jmp	*%r11
	.cfi_endproc
	.size	dispatch_lazy, . - dispatch_lazy

/* The table; a slot that no entry uses is 0. */
	.macro slot slot
	.org	dispatch_slot + 8 * \slot
	.quad	.Lstub_\slot
	.endm

	.data
	.p2align 6
	.globl	dispatch_slot
	.hidden	dispatch_slot
	.type	dispatch_slot, @object
dispatch_slot:
#define TRAMPOLINE(number, name) slot number
#include "trampolines.h"
#undef TRAMPOLINE
	.org	dispatch_slot + 8 * TRAMPOLINE_SLOTS
	.size	dispatch_slot, . - dispatch_slot

#endif

	.section .note.GNU-stack, "", %progbits
