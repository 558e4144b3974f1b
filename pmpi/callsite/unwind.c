/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.c: walks the call stack, and notes what the walk depended on.
 *
 * libunwind is loaded by dlopen(RTLD_LOCAL), never linked: it exports _Unwind_RaiseException and
 * the like, and would take over the exceptions of a C++ program that does not link libgcc_s.
 *
 * What a step depends on. From a frame (its return address IP, its stack pointer SP), the unwind
 * information of IP gives the canonical frame address CFA, and from it where the caller's IP and
 * registers lie; SP of the caller is CFA. cfi.c reads the rule: SP plus a constant (nothing new to
 * depend on), another register plus a constant (alloca, variable arrays, -O0: depends on that
 * register, saved by some inner frame at a known place), or the word there (realigned stacks). The
 * caller's IP is the word below CFA. So, for each frame, we note the saved register and the word
 * where the rule names them, then the word that holds the caller's IP.
 *
 * If the rule cannot be read, or leads elsewhere than libunwind went (as in code without unwind
 * information, where libunwind follows the frame pointer), we note more: the saved frame pointer if
 * it points into the frame, and the words below it that hold CFA.
 *
 * aarch64. A frame's address there is its lowest one, where the frame record lies (the caller's
 * frame pointer and the return address). Up to 1.6, libunwind knows no signed return addresses: it
 * cannot read the unwind information of functions that have them. From the first such frame on we
 * apply the rules ourselves. Without rules we follow the frame records, since nothing else tells
 * where a frame ends.
 *
 * The walk ends at `depth` frames, at the outermost frame, at a step that fails or does not lead up
 * the stack (coroutines), and at a signal frame, since the interrupted registers behind it are no
 * property of the call. The frames found so far are the stack.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#define UNW_LOCAL_ONLY
#include "pmpi/callsite/unwind.h"
#include "pmpi/callsite/cfi.h"

#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FRAME_POINTER UNW_X86_64_RBP
#define STACK_POINTER UNW_X86_64_RSP
#elif defined(__aarch64__)
#define FRAME_POINTER UNW_AARCH64_X29
#define STACK_POINTER UNW_AARCH64_SP
#else
#error "tell here where this machine keeps frame pointers and return addresses"
#endif

#define QUOTE_(x) #x
#define QUOTE(x) QUOTE_(x)

enum {
	CFA_COPIES_MAX = 2,
	CFA_COPY_BYTES = 256,
	PAGE_BYTES = 4096, /* the smallest */
	OWN_USUAL = 8      /* frames of our own, in builds that optimise */
};

static struct {
	void *handle;
	__typeof__(unw_init_local) *init_local;
	__typeof__(unw_step) *step;
	__typeof__(unw_get_reg) *get_reg;
	__typeof__(unw_get_save_loc) *get_save_loc;
	__typeof__(unw_is_signal_frame) *is_signal_frame;
	__typeof__(unw_backtrace) *backtrace;
	__typeof__(unw_flush_cache) *flush_cache;
	unw_accessors_t *(*get_accessors)(unw_addr_space_t); /* NULL: libunwind lacks it */
	unw_addr_space_t *local;
	int (*access_mem)(unw_addr_space_t, unw_word_t, unw_word_t *, int, void *); /* its own */
#if defined(__x86_64__)
	int (*getcontext)(unw_context_t *);
#endif
} lib;

/* The address to which signal handlers return; set by the first walk that meets it. */
static void *_Atomic signal_return;

/*
 * Pages that this thread can read. Pages of its stack stay known from one walk to the next, since
 * all that lies above a live frame exists, too. All of [stack, stack_end) was read, or is in use
 * now.
 */
static __thread struct {
	bool walks;
	uint64_t stack, stack_end;
	uint64_t other; /* one more page, known for this walk; 0: none */
} here_now;

static void begin_walk(void)
{
	uint64_t page = (uint64_t)(uintptr_t)__builtin_frame_address(0) / PAGE_BYTES;

	if (page < here_now.stack || page >= here_now.stack_end) {
		here_now.stack = page;
		here_now.stack_end = page + 1;
	}
	here_now.walks = true;
	here_now.other = 0;
}

static void end_walk(void)
{
	here_now.walks = false;
}

static bool is_readable(uint64_t page)
{
	return (page >= here_now.stack && page < here_now.stack_end) ||
		(page && page == here_now.other);
}

static void note_readable(uint64_t page)
{
	if (page == here_now.stack_end)
		here_now.stack_end++;
	else
		here_now.other = page;
}

/*
 * Replaces libunwind's own check, which writes the byte at a doubtful address into a pipe and reads
 * it back. A program may have closed all descriptors and opened its own files, so that the pipe's
 * numbers are the program's files. Walks that the program makes itself are not affected.
 */
static int access_mem(
	unw_addr_space_t space, unw_word_t at, unw_word_t *value, int write, void *arg)
{
	struct iovec to = { value, sizeof(*value) },
		     from = { (void *)(uintptr_t)at, sizeof(*value) };
	uint64_t page = at / PAGE_BYTES;
	ssize_t got;

	/* code at a return address that is still signed: it may be unreadable */
	if (here_now.walks && at != unwind_plain_address(at))
		return -1;
	if (write || !here_now.walks)
		return lib.access_mem(space, at, value, write, arg);
	if (is_readable(page) && at % sizeof(*value) == 0) {
		*value = unwind_word_at(at);
		return 0;
	}
	got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	if (got != sizeof(*value))
		return got < 0 && (errno == EPERM || errno == ENOSYS) ?
			lib.access_mem(space, at, value, write, arg) :
			-1;
	note_readable(page);
	return 0;
}

static void keep_from_pipe(void)
{
	unw_accessors_t *accessors = lib.get_accessors ? lib.get_accessors(*lib.local) : NULL;

	if (!accessors || accessors->access_mem == access_mem)
		return;
	lib.access_mem = accessors->access_mem;
	accessors->access_mem = access_mem;
}

int unwind_start(const char *name, char *why, size_t why_bytes)
{
	const struct {
		const char *name;
		void **to;
	} symbols[] = {
		{ QUOTE(unw_init_local), (void **)&lib.init_local },
		{ QUOTE(unw_step), (void **)&lib.step },
		{ QUOTE(unw_get_reg), (void **)&lib.get_reg },
		{ QUOTE(unw_get_save_loc), (void **)&lib.get_save_loc },
		{ QUOTE(unw_is_signal_frame), (void **)&lib.is_signal_frame },
		{ "unw_backtrace", (void **)&lib.backtrace },
		{ QUOTE(unw_flush_cache), (void **)&lib.flush_cache },
		{ QUOTE(unw_local_addr_space), (void **)&lib.local },
#if defined(__x86_64__)
		{ QUOTE(unw_tdep_getcontext), (void **)&lib.getcontext },
#endif
	};
	void *handle = dlopen(name ? name : "libunwind.so.8", RTLD_NOW | RTLD_LOCAL);

	lib.handle = NULL;
	if (!handle) {
		snprintf(why, why_bytes, "%s", dlerror());
		return -1;
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		*symbols[i].to = dlsym(handle, symbols[i].name);
		if (!*symbols[i].to) {
			snprintf(why, why_bytes, "'%s' has no %s", name ? name : "libunwind.so.8",
				symbols[i].name);
			dlclose(handle);
			return -1;
		}
	}
	lib.get_accessors =
		(unw_accessors_t * (*)(unw_addr_space_t)) dlsym(handle, QUOTE(unw_get_accessors));
	keep_from_pipe();
	lib.handle = handle;
	return 0;
}

bool unwind_is_started(void)
{
	return lib.handle != NULL;
}

void unwind_forget(void)
{
	if (lib.handle)
		lib.flush_cache(*lib.local, 0, 0);
}

/* Appends an address; false once there are enough. */
static bool add_frame(struct unwind_stack *stack, unsigned depth, void *address)
{
	struct module_address frame = module_resolve(address);

	stack->nraw++;
	if (frame.kind != MODULE_MPI && frame.kind != MODULE_FORTRAN_BINDING &&
		frame.kind != MODULE_TRYST)
		stack->frames[stack->nframes++] = frame;
	return stack->nframes < depth && stack->nraw < UNWIND_FRAMES_MAX;
}

/* A stack that never left MPI's libraries: its innermost address stands for it. */
static void close_stack(struct unwind_stack *stack, void *return_address)
{
	if (stack->nframes == 0)
		stack->frames[stack->nframes++] = module_resolve(return_address);
}

void unwind_resolve(struct unwind_stack *stack, unsigned depth, unsigned nraw)
{
	stack->nframes = stack->nraw = 0;
	for (unsigned i = 0; i < nraw; i++) {
		if (!add_frame(stack, depth, stack->raw[i]))
			break;
	}
	close_stack(stack, stack->raw[0]);
}

/* ---- frame by frame ---- */

/* A register of a frame and where it was saved by an inner one. */
struct saved {
	uint64_t value;
	uint64_t at; /* 0: in no word of the stack that lies above the wrapper */
};

/* The source of the next step. */
enum guide { BY_LIBUNWIND, BY_RULES, BY_RECORDS };

struct walk {
	struct unwind_stack *stack;
	unw_cursor_t cursor;
	uint64_t origin; /* the wrapper's frame address */
	uint64_t ip;
	uint64_t sp;
	enum guide guide;
	/* if the source is not libunwind: */
	struct saved frame_pointer;
	uint64_t slot; /* of ip */
};

static bool read_position(struct walk *walk)
{
	unw_word_t ip, sp;

	if (lib.get_reg(&walk->cursor, UNW_REG_IP, &ip) < 0 ||
		lib.get_reg(&walk->cursor, UNW_REG_SP, &sp) < 0)
		return false;
	walk->ip = ip;
	walk->sp = sp;
	return ip != 0;
}

static bool add_check(struct walk *walk, uint64_t address, uint64_t value)
{
	struct unwind_stack *stack = walk->stack;

	if (stack->nchecks == UNWIND_CHECKS_MAX)
		return false;
	stack->checks[stack->nchecks++] =
		(struct unwind_check){ (int64_t)(address - walk->origin), value };
	return true;
}

/* Notes the words just below the frame pointer of the frame [sp, cfa) that hold its end. */
static bool check_cfa_copies(struct walk *walk, uint64_t frame_pointer, uint64_t sp, uint64_t cfa)
{
	uint64_t lowest = frame_pointer - sp > CFA_COPY_BYTES ? frame_pointer - CFA_COPY_BYTES : sp;
	unsigned copies = 0;

	if (frame_pointer % sizeof(uint64_t) != 0)
		return true;
	for (uint64_t at = frame_pointer; at >= lowest + 8 && copies < CFA_COPIES_MAX; at -= 8) {
		if (unwind_word_at(at - 8) != cfa)
			continue;
		copies++;
		if (!add_check(walk, at - 8, cfa))
			return false;
	}
	return true;
}

/* The word that holds the caller's address, with the cursor at the caller; 0 if unknown. */
static uint64_t return_slot(struct walk *walk)
{
#if defined(__x86_64__)
	return walk->sp - 8;
#else
	unw_save_loc_t saved;

	if (walk->guide != BY_LIBUNWIND)
		return walk->slot;
	if (lib.get_save_loc(&walk->cursor, UNW_AARCH64_X30, &saved) < 0 ||
		saved.type != UNW_SLT_MEMORY)
		return 0;
	return saved.u.addr;
#endif
}

/* Notes the word that holds the caller's address, with the cursor at the caller. */
static bool check_return(struct walk *walk)
{
	uint64_t slot = return_slot(walk);
	uint64_t word = slot ? unwind_word_at(slot) : 0;

	return slot && unwind_plain_address(word) == walk->ip && add_check(walk, slot, word);
}

static struct saved read_saved(struct walk *walk, unsigned reg)
{
	unw_save_loc_t place = { .type = UNW_SLT_NONE };
	unw_word_t value = 0;
	struct saved saved;

	if (walk->guide != BY_LIBUNWIND)
		return reg == FRAME_POINTER ?
			walk->frame_pointer :
			(struct saved){ .value = reg == STACK_POINTER ? walk->sp : 0 };
	lib.get_reg(&walk->cursor, (unw_regnum_t)reg, &value);
	lib.get_save_loc(&walk->cursor, (unw_regnum_t)reg, &place);
	VALGRIND_MAKE_MEM_DEFINED(&value, sizeof(value));
	saved.value = value;
	saved.at = place.type == UNW_SLT_MEMORY && place.u.addr >= walk->origin ? place.u.addr : 0;
	return saved;
}

/*
 * Notes the words by which the frame's end was found: given its rule, and this frame's value of the
 * register that the rule names. False if they cannot be read again.
 */
static bool check_by_rule(
	struct walk *walk, const struct cfa_rule *rule, const struct saved *saved, uint64_t cfa)
{
	uint64_t at = saved->value + (uint64_t)rule->offset;

	if (rule->reg != STACK_POINTER && (!saved->at || !add_check(walk, saved->at, saved->value)))
		return false;
	return rule->kind == CFA_REGISTER || add_check(walk, at, cfa);
}

/* The same without a known rule: notes all words that may have mattered. */
static bool check_by_guess(
	struct walk *walk, const struct saved *frame_pointer, uint64_t sp, uint64_t cfa)
{
	if (frame_pointer->value < sp || frame_pointer->value >= cfa)
		return true;
	if (!frame_pointer->at || !add_check(walk, frame_pointer->at, frame_pointer->value))
		return false;
	return frame_pointer->value + 16 == cfa ||
		check_cfa_copies(walk, frame_pointer->value, sp, cfa);
}

/* True if the rule leads to the frame that libunwind found. */
static bool rule_holds(const struct cfa_rule *rule, uint64_t value, uint64_t sp, uint64_t cfa)
{
	uint64_t at = value + (uint64_t)rule->offset;

	if (rule->kind == CFA_REGISTER)
		return at == cfa;
	return rule->kind == CFA_WORD && at >= sp && at < cfa && at % 8 == 0 &&
		unwind_word_at(at) == cfa;
}

/*
 * Notes the words that made the stack end at this frame. A function that switched stacks has a
 * frame that leads up from one of them only.
 */
static void check_end(struct walk *walk, const struct cfa_rule *rule, const struct saved *saved)
{
	if (rule->kind == CFA_REGISTER && rule->reg != STACK_POINTER && saved->at)
		add_check(walk, saved->at, saved->value);
}

#if defined(__aarch64__)
/* True if a walk has met a frame that libunwind cannot step over. Its traces end there, too. */
static _Atomic bool has_lost;

static bool read_word(struct walk *walk, uint64_t at, uint64_t *value)
{
	unw_word_t word = 0;

	if (at % sizeof(*value) != 0 || at < walk->sp)
		return false;
	if (!lib.access_mem)
		word = unwind_word_at(at);
	else if (access_mem(*lib.local, at, &word, 0, &walk->cursor) < 0)
		return false;
	*value = word;
	return true;
}

/* The caller's frame begins at `sp`; its address and frame pointer were saved there. */
static bool enter_caller(struct walk *walk, uint64_t sp, uint64_t slot, uint64_t pointer_slot)
{
	struct saved pointer = walk->frame_pointer;
	uint64_t word;

	if (!read_word(walk, slot, &word) ||
		(pointer_slot && !read_word(walk, pointer_slot, &pointer.value)))
		return false;
	if (pointer_slot)
		pointer.at = pointer_slot >= walk->origin ? pointer_slot : 0;
	walk->frame_pointer = pointer;
	walk->ip = unwind_plain_address(word);
	walk->slot = slot;
	walk->sp = sp;
	return walk->ip != 0;
}

static bool go_by_rule(struct walk *walk, const struct cfa_rule *rule)
{
	uint64_t cfa = (rule->reg == STACK_POINTER ? walk->sp : walk->frame_pointer.value) +
		(uint64_t)rule->offset;

	if (rule->kind != CFA_REGISTER ||
		(rule->reg != STACK_POINTER && rule->reg != FRAME_POINTER) || cfa <= walk->sp ||
		!rule->return_address.is_saved)
		return false;
	return enter_caller(walk, cfa, cfa + (uint64_t)rule->return_address.offset,
		rule->frame_pointer.is_saved ? cfa + (uint64_t)rule->frame_pointer.offset : 0);
}

/* The end of the frame in which the record lies is unknown. */
static bool go_by_record(struct walk *walk)
{
	uint64_t record = walk->frame_pointer.value;

	return enter_caller(walk, record + 16, record + 8, record);
}

/*
 * Steps to the caller's frame. False: the stack ends, or the next frame is unknown. `rule` is NULL
 * if it was not looked up.
 */
static bool go_up(struct walk *walk, const struct cfa_rule *rule)
{
	struct saved frame_pointer = read_saved(walk, FRAME_POINTER);
	uint64_t ip = walk->ip, sp = walk->sp;
	struct cfa_rule found;

	if (!rule) {
		found = cfa_rule_of((void *)(uintptr_t)ip);
		rule = &found;
	}
	if (walk->guide == BY_LIBUNWIND) {
		int rc = rule->kind == CFA_UNKNOWN ? -1 : lib.step(&walk->cursor);

		if (rc > 0 && read_position(walk) && walk->sp > sp &&
			walk->ip == unwind_plain_address(walk->ip))
			return true;
		if (rc == 0 && !rule->is_signed)
			return false;
		walk->ip = ip;
		walk->sp = sp;
		walk->frame_pointer = frame_pointer;
		walk->guide = BY_RULES;
	}
	if (walk->guide == BY_RULES && rule->kind == CFA_UNKNOWN)
		walk->guide = BY_RECORDS;
	if (walk->guide == BY_RECORDS)
		return go_by_record(walk);
	if (rule->is_signed)
		atomic_store_explicit(&has_lost, true, memory_order_relaxed);
	return go_by_rule(walk, rule);
}

/* mov x8, #__NR_rt_sigreturn; svc #0: libunwind recognises it by the same instructions. */
static bool returns_from_signal(struct walk *walk)
{
	uint64_t code = 0;
	unw_word_t word;

	if (walk->guide == BY_LIBUNWIND)
		return lib.is_signal_frame(&walk->cursor) > 0;
	for (unsigned i = 0; i < 2; i++) {
		/* code lies on 4 bytes */
		uint64_t at = (walk->ip + 4 * i) & ~(uint64_t)7;

		word = 0;
		if (lib.access_mem && access_mem(*lib.local, at, &word, 0, &walk->cursor) < 0)
			return false;
		code |= (word >> ((walk->ip + 4 * i) % 8 * 8) & 0xffffffff) << 32 * i;
	}
	return code == 0xd4000001d2801168;
}

/* Steps to the frame that the signal has interrupted. */
static bool leave_signal(struct walk *walk)
{
	const uint64_t context = walk->sp + sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext);
	uint64_t pointer, ip, sp;

	if (walk->guide == BY_LIBUNWIND)
		return lib.step(&walk->cursor) > 0 && read_position(walk);
	if (!read_word(walk, context + offsetof(mcontext_t, regs[29]), &pointer) ||
		!read_word(walk, context + offsetof(mcontext_t, pc), &ip) ||
		!read_word(walk, context + offsetof(mcontext_t, sp), &sp))
		return false;
	walk->frame_pointer = (struct saved){ .value = pointer };
	walk->ip = ip;
	walk->sp = sp;
	return true;
}
#else
static bool go_up(struct walk *walk, const struct cfa_rule *rule)
{
	uint64_t sp = walk->sp;

	(void)rule;
	return lib.step(&walk->cursor) > 0 && read_position(walk) && walk->sp > sp;
}

static bool returns_from_signal(struct walk *walk)
{
	return lib.is_signal_frame(&walk->cursor) > 0;
}

static bool leave_signal(struct walk *walk)
{
	return lib.step(&walk->cursor) > 0 && read_position(walk);
}
#endif

/* The rule of the current frame, if steps follow rules. */
static struct cfa_rule rule_now(const struct walk *walk)
{
	return walk->guide == BY_RECORDS ? (struct cfa_rule){ .kind = CFA_UNKNOWN } :
					   cfa_rule_of((void *)(uintptr_t)walk->ip);
}

/* One frame up; false at the end of the walk. */
static bool step(struct walk *walk)
{
	uint64_t ip = walk->ip, sp = walk->sp;
	struct saved frame_pointer, named;
	struct cfa_rule rule;
	bool is_noted;

	if (returns_from_signal(walk)) {
		atomic_store_explicit(&signal_return, (void *)(uintptr_t)ip, memory_order_relaxed);
		return false;
	}
	rule = rule_now(walk);
	frame_pointer = read_saved(walk, FRAME_POINTER);
	named = rule.kind == CFA_UNKNOWN ? frame_pointer : read_saved(walk, rule.reg);
	if (!go_up(walk, &rule)) {
		check_end(walk, &rule, &named);
		return false;
	}
	if (rule_holds(&rule, named.value, sp, walk->sp))
		is_noted = check_by_rule(walk, &rule, &named, walk->sp);
	else
		is_noted = check_by_guess(walk, &frame_pointer, sp, walk->sp);
	return is_noted && check_return(walk);
}

/*
 * Steps out of our own functions to the wrapper's caller. Their frames lie below the wrapper's.
 * Their number depends on the path taken and on the compiler: without optimisation, a tail call
 * keeps the frame of its function.
 */
static bool find_caller(struct walk *walk, uint64_t return_address)
{
	while (walk->sp <= walk->origin)
		if (!go_up(walk, NULL))
			return false;
	return walk->ip == return_address;
}

/*
 * libunwind saves the x87 environment by an instruction that masks all x87 exceptions, and does not
 * restore the mask. Without this, a program that traps such exceptions would no longer do so.
 */
static inline uint16_t traps_save(void)
{
	uint16_t word = 0;

#if defined(__x86_64__)
	__asm__ volatile("fnstcw %0" : "=m"(word));
#endif
	return word;
}

static inline void traps_restore(uint16_t word)
{
#if defined(__x86_64__)
	__asm__ volatile("fldcw %0" : : "m"(word));
#else
	(void)word;
#endif
}

__attribute__((noinline)) bool unwind_walk(
	struct unwind_stack *stack, unsigned depth, void *return_address, void *frame_address)
{
	struct walk walk = { .stack = stack, .origin = (uint64_t)(uintptr_t)frame_address };
	uint16_t traps = traps_save();
	unw_context_t here;
	bool goes_on, is_met = true;

	stack->nframes = stack->nraw = stack->nchecks = 0;
	goes_on = add_frame(stack, depth, return_address);
	if (goes_on && lib.handle) {
#if defined(__x86_64__)
		lib.getcontext(&here);
#else
		unw_getcontext(&here);
#endif
		begin_walk();
		is_met = lib.init_local(&walk.cursor, &here) >= 0 && read_position(&walk) &&
			find_caller(&walk, (uint64_t)(uintptr_t)return_address);
		while (is_met && goes_on && step(&walk))
			goes_on = add_frame(stack, depth, (void *)(uintptr_t)walk.ip);
		end_walk();
	}
	traps_restore(traps);
	close_stack(stack, return_address);
	return is_met;
}

static const void *find_frame(struct walk *walk, uint64_t address, bool *is_noted)
{
	bool was_signal = false;

	*is_noted = true;
	for (;;) {
		uint64_t ip = walk->ip, sp = walk->sp;
		bool is_signal = returns_from_signal(walk);
		struct cfa_rule rule = { .kind = CFA_UNKNOWN };
		struct saved named = { 0 };

		if (!is_signal) {
			/* rules are looked up by return addresses, which lie behind the call */
			rule = cfa_rule_of((void *)(uintptr_t)(ip + was_signal));
			if (rule.kind == CFA_UNKNOWN)
				return NULL;
			named = read_saved(walk, rule.reg);
		}
		was_signal = is_signal;
		if (is_signal) {
			if (!leave_signal(walk))
				return NULL;
			/* interrupted registers are no property of the call */
			*is_noted = false;
			continue;
		}
		if (!go_up(walk, &rule) || !rule_holds(&rule, named.value, sp, walk->sp))
			return NULL;
		*is_noted = *is_noted && check_by_rule(walk, &rule, &named, walk->sp) &&
			check_return(walk);
		if (address >= sp && address < walk->sp)
			return (void *)(uintptr_t)ip;
	}
}

__attribute__((noinline)) const void *unwind_find_frame(struct unwind_stack *stack,
	const void *address, void *return_address, void *frame_address, bool *is_noted)
{
	struct walk walk = { .stack = stack, .origin = (uint64_t)(uintptr_t)frame_address };
	uint16_t traps = traps_save();
	const void *code = NULL;
	unw_context_t here;

	stack->nchecks = 0;
	*is_noted = false;
	if (!lib.handle)
		return NULL;
#if defined(__x86_64__)
	lib.getcontext(&here);
#else
	unw_getcontext(&here);
#endif
	begin_walk();
	if (lib.init_local(&walk.cursor, &here) >= 0 && read_position(&walk) &&
		find_caller(&walk, (uint64_t)(uintptr_t)return_address)) {
		if ((uint64_t)(uintptr_t)address >= walk.origin &&
			(uint64_t)(uintptr_t)address < walk.sp)
			code = return_address;
		else
			code = find_frame(&walk, (uint64_t)(uintptr_t)address, is_noted);
	}
	end_walk();
	traps_restore(traps);
	return code;
}

#if defined(__aarch64__)
static unsigned step_through(void **raw, unsigned nraw)
{
	struct walk walk = { .sp = 0 };
	unw_context_t here;
	unsigned n = 0;

	unw_getcontext(&here);
	if (lib.init_local(&walk.cursor, &here) < 0 || !read_position(&walk))
		return 0;
	while (n < nraw && !returns_from_signal(&walk) && go_up(&walk, NULL))
		raw[n++] = (void *)(uintptr_t)walk.ip;
	return n;
}

/*
 * For stacks on which libunwind fails, step by step. Up to libunwind 1.6 its addresses are one less
 * than the return addresses.
 */
static unsigned backtrace(void **raw, unsigned nraw)
{
	unsigned found = 0;

	if (!atomic_load_explicit(&has_lost, memory_order_relaxed))
		found = (unsigned)lib.backtrace(raw, (int)nraw);
	for (unsigned i = 0; i < found; i++) {
		uint64_t ip = ((uint64_t)(uintptr_t)raw[i] + 3) & ~(uint64_t)3;

		if (ip != unwind_plain_address(ip))
			return step_through(raw, nraw);
		raw[i] = (void *)(uintptr_t)ip;
	}
	return found ? found : step_through(raw, nraw);
}
#else
static unsigned backtrace(void **raw, unsigned nraw)
{
	return (unsigned)lib.backtrace(raw, (int)nraw);
}
#endif

unsigned unwind_trace(void **raw, unsigned nraw, void *return_address)
{
	uint16_t traps = traps_save();
	void *end = atomic_load_explicit(&signal_return, memory_order_relaxed);
	unsigned more = OWN_USUAL, found, own, n;

	begin_walk();
	for (;;) {
		found = backtrace(raw, nraw + more);
		for (own = 0; own < found && raw[own] != return_address;)
			own++;
		if (own <= more || found < nraw + more)
			break;
		if (more == UNWIND_OWN_MAX) {
			own = found;
			break;
		}
		more = UNWIND_OWN_MAX;
	}
	end_walk();
	traps_restore(traps);
	if (own == found)
		return 0;
	if (found > own + nraw)
		found = own + nraw;
	for (n = 0; own + n < found; n++) {
		raw[n] = raw[own + n];
		if (raw[n] == end)
			return n + 1;
	}
	while (n > 1 && !raw[n - 1])
		n--;
	return n;
}
