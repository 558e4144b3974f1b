/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cfi.c: reads the CFA rule of a return address out of .eh_frame.
 *
 * libunwind walks, but does not say on which words a step depended. The rule for the CFA tells
 * that, and this file reads it. For code that libunwind cannot walk it also reads the places of the
 * frame pointer and the return address, if they are plain offsets. It follows the Linux Standard
 * Base's description of .eh_frame_hdr (the sorted table that all linkers make) and .eh_frame, and
 * DWARF 5, section 6.4. The caller compares what the rule gives with what libunwind found, so a
 * misreading costs a look at more words than needed, and no wrong result.
 *
 *   .eh_frame_hdr: version 1, three encodings, pointer to .eh_frame, count,
 *                  count x { code, FDE }, both int32 from the header's address, sorted by code
 *   FDE: length, distance to its CIE, first address, bytes, augmentation, instructions
 *   CIE: length, 0, version, augmentation text, alignments, return register, augmentation,
 *        instructions that come before each FDE's
 */
#include "pmpi/callsite/cfi.h"
#include "pmpi/callsite/module.h"

#include <stdbool.h>
#include <string.h>

enum {
	ENCODING_VALUE = 0x0f, /* lower half: the value's form */
	ENCODING_TABLE = 0x3b, /* int32 relative to the header, as linkers write it */
	ENCODING_COUNT = 0x03, /* uint32 */
	ENCODING_PCREL = 0x10, /* upper half: relative to the value's own address */
	ENCODING_OMIT = 0xff,
	STATES_MAX = 8,           /* remembered at once */
	ENTRY_BYTES_MAX = 1 << 20 /* of an FDE or CIE */
};

struct reader {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};

/* The part of a CIE that its FDEs share. */
struct cie {
	struct reader instructions;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool has_augmentation;
};

/* ---- reading ---- */

static uint64_t read_bytes(struct reader *in, unsigned bytes)
{
	uint64_t value = 0;

	if (in->is_bad || (uint64_t)(in->end - in->at) < bytes) {
		in->is_bad = true;
		return 0;
	}
	memcpy(&value, in->at, bytes);
	in->at += bytes;
	return value;
}

static int64_t read_signed(struct reader *in, unsigned bytes)
{
	unsigned unused = 64 - 8 * bytes;

	return (int64_t)(read_bytes(in, bytes) << unused) >> unused;
}

static inline uint64_t read_leb(struct reader *in, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = read_bytes(in, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) && !in->is_bad);
	if (is_signed && shift < 64 && (byte & 0x40))
		value |= ~0ULL << shift;
	return value;
}

static uint64_t read_uleb(struct reader *in)
{
	return read_leb(in, false);
}

static int64_t read_sleb(struct reader *in)
{
	return (int64_t)read_leb(in, true);
}

static void skip(struct reader *in, uint64_t bytes)
{
	if (in->is_bad || (uint64_t)(in->end - in->at) < bytes)
		in->is_bad = true;
	else
		in->at += bytes;
}

/* A pointer of fixed size, absolute or relative to its own address. */
static uint64_t read_pointer(struct reader *in, uint8_t encoding)
{
	static const uint8_t bytes[16] = { 8, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8 };
	unsigned form = encoding & ENCODING_VALUE, from = encoding & ~ENCODING_VALUE;
	uint64_t here = (uint64_t)(uintptr_t)in->at;

	if (!bytes[form] || (from != 0 && from != ENCODING_PCREL)) {
		in->is_bad = true;
		return 0;
	}
	return (uint64_t)read_signed(in, bytes[form]) + (from ? here : 0);
}

/* The body of the FDE or CIE at `address`. */
static struct reader open_entry(uint64_t address, const struct module_frames *frames)
{
	struct reader in = { .is_bad = true };
	uint64_t bytes;

	if (address < frames->begin || address >= frames->end || frames->end - address < 4)
		return in;
	in.at = (const uint8_t *)(uintptr_t)address;
	in.end = in.at + 4;
	in.is_bad = false;
	bytes = read_bytes(&in, 4);
	in.is_bad = bytes == 0 || bytes > ENTRY_BYTES_MAX || bytes > frames->end - address - 4;
	in.end = in.at + bytes;
	return in;
}

/* ---- finding ---- */

static int32_t table_value(const uint8_t *table, uint64_t index)
{
	int32_t value;

	memcpy(&value, table + 4 * index, sizeof(value));
	return value;
}

/* The FDE whose code may hold `address`; 0: none. */
static uint64_t find_fde(uint64_t address, const struct module_frames *frames)
{
	const uint8_t *header = (const uint8_t *)(uintptr_t)frames->table;
	struct reader in = { header + 4, header + frames->table_bytes, false };
	int64_t wanted = (int64_t)(address - frames->table);
	uint64_t count, low = 0, high;

	if (frames->table_bytes < 12 || header[0] != 1 || header[2] != ENCODING_COUNT ||
		header[3] != ENCODING_TABLE)
		return 0;
	read_pointer(&in, header[1]);
	count = read_bytes(&in, 4);
	if (in.is_bad || count > (uint64_t)(in.end - in.at) / 8)
		return 0;
	for (high = count; low < high;) {
		uint64_t middle = (low + high) / 2;

		if (table_value(in.at, 2 * middle) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? frames->table + (uint64_t)(int64_t)table_value(in.at, 2 * (low - 1) + 1) : 0;
}

static bool read_cie(struct reader in, struct cie *cie)
{
	const char *augmentation, *c;
	uint64_t version, bytes;
	const uint8_t *instructions;

	if (read_bytes(&in, 4) != 0)
		return false;
	version = read_bytes(&in, 1);
	augmentation = (const char *)in.at;
	while (read_bytes(&in, 1) != 0)
		;
	cie->code_align = read_uleb(&in);
	cie->data_align = read_sleb(&in);
	if (version == 1)
		skip(&in, 1);
	else
		read_uleb(&in);
	cie->encoding = 0;
	cie->has_augmentation = !in.is_bad && augmentation[0] == 'z';
	if (in.is_bad || (augmentation[0] && !cie->has_augmentation))
		return false;
	if (cie->has_augmentation) {
		bytes = read_uleb(&in);
		if (in.is_bad || bytes > (uint64_t)(in.end - in.at))
			return false;
		instructions = in.at + bytes;
		for (c = augmentation + 1; *c; c++) {
			if (*c == 'R')
				cie->encoding = (uint8_t)read_bytes(&in, 1);
			else if (*c == 'L')
				skip(&in, 1);
			else if (*c == 'P')
				read_pointer(&in, (uint8_t)(read_bytes(&in, 1) & 0x7f));
			else if (*c != 'S' && *c != 'B')
				return false;
		}
		in.at = instructions;
	}
	cie->instructions = in;
	return !in.is_bad && cie->encoding != ENCODING_OMIT;
}

/* ---- executing ---- */

struct machine {
	const struct cie *cie;
	uint64_t target; /* rows that begin behind it are ignored */
	uint64_t location;
	struct cfa_rule rule;
	struct cfa_rule remembered[STATES_MAX];
	unsigned nremembered;
};

/* Compilers write "register + offset" in one operation, and "the word there" in two. */
static void read_expression(struct reader *in, struct cfa_rule *rule)
{
	uint64_t bytes = read_uleb(in), op;
	const uint8_t *end;

	rule->kind = CFA_UNKNOWN;
	if (in->is_bad || bytes > (uint64_t)(in->end - in->at)) {
		in->is_bad = true;
		return;
	}
	end = in->at + bytes;
	op = bytes ? read_bytes(in, 1) : 0;
	if (op >= 0x70 && op <= 0x8f) { /* DW_OP_breg0 and on */
		rule->reg = (unsigned)op - 0x70;
		rule->offset = read_sleb(in);
		if (in->at == end)
			rule->kind = CFA_REGISTER;
		else if (in->at + 1 == end && *in->at == 0x06) /* DW_OP_deref */
			rule->kind = CFA_WORD;
	}
	in->at = end;
}

/* An offset in units of the CIE. A damaged one may overflow; the caller checks the result. */
static int64_t read_factored(struct reader *in, const struct cie *cie)
{
	return (int64_t)((uint64_t)read_sleb(in) * (uint64_t)cie->data_align);
}

/* Instructions that set the CFA or the stack of states; false if `op` is none of them. */
static bool execute_cfa(struct machine *machine, struct reader *in, uint8_t op)
{
	switch (op) {
	case 0x0a: /* remember_state */
		if (machine->nremembered == STATES_MAX)
			in->is_bad = true;
		else
			machine->remembered[machine->nremembered++] = machine->rule;
		return true;
	case 0x0b: /* restore_state */
		if (machine->nremembered == 0)
			in->is_bad = true;
		else
			machine->rule = machine->remembered[--machine->nremembered];
		return true;
	case 0x0c: /* def_cfa */
		machine->rule.kind = CFA_REGISTER;
		machine->rule.reg = (unsigned)read_uleb(in);
		machine->rule.offset = (int64_t)read_uleb(in);
		return true;
	case 0x12: /* def_cfa_sf */
		machine->rule.kind = CFA_REGISTER;
		machine->rule.reg = (unsigned)read_uleb(in);
		machine->rule.offset = read_factored(in, machine->cie);
		return true;
	case 0x0d: /* def_cfa_register */
		machine->rule.reg = (unsigned)read_uleb(in);
		return true;
	case 0x0e: /* def_cfa_offset */
		machine->rule.offset = (int64_t)read_uleb(in);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		machine->rule.offset = read_factored(in, machine->cie);
		return true;
	case 0x0f: /* def_cfa_expression */
		read_expression(in, &machine->rule);
		return true;
	default:
		return false;
	}
}

/* Notes where a register was saved. */
static void set_saved(struct cfa_rule *rule, uint64_t reg, struct cfi_saved saved)
{
	if (reg == CFI_FRAME_POINTER)
		rule->frame_pointer = saved;
	else if (reg == CFI_RETURN_ADDRESS)
		rule->return_address = saved;
}

/* Instructions about other registers: but for two of them, only their length matters. */
static void execute_other(struct machine *machine, struct reader *in, uint8_t op)
{
	const struct cfi_saved elsewhere = { false, 0 };

	switch (op) {
	case 0x00: /* nop */
		return;
	case 0x2d: /* aarch64: the return address is signed from here on, or no longer */
		machine->rule.is_signed = !machine->rule.is_signed;
		return;
	case 0x2e: /* GNU_args_size */
		read_uleb(in);
		return;
	case 0x06: /* restore_extended */
	case 0x07: /* undefined */
	case 0x08: /* same_value */
		set_saved(&machine->rule, read_uleb(in), elsewhere);
		return;
	case 0x05: /* offset_extended, _sf; register; val_offset, _sf; GNU_negative_... */
	case 0x09:
	case 0x11:
	case 0x14:
	case 0x15:
	case 0x2f:
		set_saved(&machine->rule, read_uleb(in), elsewhere);
		read_uleb(in);
		return;
	case 0x10: /* expression, val_expression */
	case 0x16:
		set_saved(&machine->rule, read_uleb(in), elsewhere);
		skip(in, read_uleb(in));
		return;
	default:
		in->is_bad = true;
	}
}

/* Executes up to the row of the target. */
static bool execute(struct machine *machine, struct reader in)
{
	while (in.at < in.end && !in.is_bad && machine->location <= machine->target) {
		uint8_t op = (uint8_t)read_bytes(&in, 1);
		uint64_t align = machine->cie->code_align;

		if (op >> 6 == 1)
			machine->location += (op & 0x3f) * align;
		else if (op >> 6 == 2)
			set_saved(&machine->rule, op & 0x3f,
				(struct cfi_saved){ true,
					(int64_t)(read_uleb(&in) *
						(uint64_t)machine->cie->data_align) });
		else if (op >> 6 ==
			3) /* CIEs save nothing but x86's return address, which stays there */
			set_saved(&machine->rule, op & 0x3f, (struct cfi_saved){ false, 0 });
		else if (op == 0x01)
			machine->location = read_pointer(&in, machine->cie->encoding);
		else if (op >= 0x02 && op <= 0x04)
			machine->location += read_bytes(&in, 1u << (op - 2)) * align;
		else if (!execute_cfa(machine, &in, op))
			execute_other(machine, &in, op);
	}
	return !in.is_bad;
}

struct cfa_rule cfa_rule_in(const struct module_frames *frames, const void *return_address)
{
	struct machine machine = { .target = (uint64_t)(uintptr_t)return_address - 1 };
	const struct cfa_rule unknown = { .kind = CFA_UNKNOWN };
	struct cie cie;
	struct reader fde;
	uint64_t address, first, bytes, cie_at;

	address = find_fde(machine.target, frames);
	fde = open_entry(address, frames);
	cie_at = (uint64_t)(uintptr_t)fde.at;
	cie_at -= read_bytes(&fde, 4);
	if (fde.is_bad || !read_cie(open_entry(cie_at, frames), &cie))
		return unknown;
	first = read_pointer(&fde, cie.encoding);
	bytes = read_pointer(&fde, cie.encoding & ENCODING_VALUE);
	if (cie.has_augmentation)
		skip(&fde, read_uleb(&fde));
	if (fde.is_bad || machine.target - first >= bytes)
		return unknown;
	machine.cie = &cie;
	machine.location = first;
	if (!execute(&machine, cie.instructions) || !execute(&machine, fde))
		return unknown;
	return machine.rule;
}

struct cfa_rule cfa_rule_of(const void *return_address)
{
	struct module_frames frames;

	if (!module_find_frames(return_address, &frames))
		return (struct cfa_rule){ .kind = CFA_UNKNOWN };
	return cfa_rule_in(&frames, return_address);
}
