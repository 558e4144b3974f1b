/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.c: names and lines by elfutils' libdw, one Dwfl a file, the least recently used closed.
 *
 * Workload: a few hundred to some ten thousand distinct callsites in a handful of modules, the
 * same ones on every rank. So results are kept by (module, offset) in a table that is emptied
 * when it is full: memory is bounded whatever the number of ranks.
 */
#include <config.h>

#include "analysis/symbols/symbols.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"

enum { FILES_OPEN = 16, RESULTS = 1 << 16, RESULTS_FULL = RESULTS / 4 * 3, SCOPES_DEEP = 32 };

struct file {
	char *path, *build_id;
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias;
	enum symbol_state state; /* SYMBOL_LINE: usable */
	bool no_debug_data;      /* reading them might not end */
	uint64_t used;           /* when, for replacement; 0: slot free */
	uint32_t number;         /* never given twice */
};

struct result {
	uint32_t file; /* 0: slot free */
	enum symbol_state state;
	uint64_t offset;
	char *function, *source;
	int line;
};

struct symbols {
	struct file files[FILES_OPEN];
	struct result *results;
	size_t nresults;
	uint64_t clock;
	uint32_t last_number;
	char *(*demangle)(const char *, char *, size_t *, int *);
};

static char *debug_path = NULL;

/*
 * True if directory/below/name is no regular file, so that opening or reading it might never end.
 * False for a directory: libdw reads nothing of it and looks on. The directory is that of `file`,
 * unless the name is a whole path.
 */
static bool is_odd(const char *file, const char *below, const char *name)
{
	const char *slash = *name == '/' ? NULL : strrchr(file, '/');
	char path[PATH_MAX];
	struct stat st;
	int n = snprintf(path, sizeof path, "%.*s%s%s", slash ? (int)(slash + 1 - file) : 0, file,
		below, name);

	return n >= (int)sizeof path ||
		(stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/*
 * A binary names its debug file. There may be a pipe of this name, and libdw would wait on it.
 * libdw looks beside the binary, and beside the file that a link to the binary leads to. A name
 * with a '/' may lead anywhere else, and is not followed.
 */
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *module_name,
	GElf_Addr base, const char *file, const char *link, GElf_Word link_crc, char **found)
{
	char full[PATH_MAX];
	const char *at[2] = { file, file ? realpath(file, full) : NULL };

	if (link && strchr(link, '/'))
		return -1;
	for (int i = 0; i < 2; i++) {
		const char *name = at[i] && strrchr(at[i], '/') ? strrchr(at[i], '/') + 1 : at[i];
		char made[NAME_MAX + sizeof ".debug"];

		if (!name)
			continue;
		snprintf(made, sizeof made, "%s.debug", name);
		if (is_odd(at[i], "", link ? link : made) ||
			is_odd(at[i], ".debug/", link ? link : made) ||
			is_odd(at[i], ".dwz/", link ? link : made) ||
			is_odd(at[i], ".debug/", name))
			return -1;
	}
	return dwfl_standard_find_debuginfo(
		module, userdata, module_name, base, file, link, link_crc, found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

struct symbols *symbols_new(void)
{
	struct symbols *s = calloc(1, sizeof *s);
	void *cxx;

	if (!s)
		return NULL;
	s->results = calloc(RESULTS, sizeof *s->results);
	if (!s->results) {
		free(s);
		return NULL;
	}
	/* the library is installed wherever C++ programs run, so tryst need not link it */
	cxx = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (cxx)
		*(void **)&s->demangle = dlsym(cxx, "__cxa_demangle");
	return s;
}

static void results_clear(struct symbols *s)
{
	for (size_t i = 0; i < RESULTS; i++) {
		free(s->results[i].function);
		free(s->results[i].source);
	}
	memset(s->results, 0, RESULTS * sizeof *s->results);
	s->nresults = 0;
}

static void file_close(struct file *f)
{
	if (f->dwfl)
		dwfl_end(f->dwfl);
	free(f->path);
	free(f->build_id);
	memset(f, 0, sizeof *f);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	results_clear(s);
	for (int i = 0; i < FILES_OPEN; i++)
		file_close(&s->files[i]);
	free(s->results);
	free(s);
}

static bool same_build_id(Dwfl_Module *module, const char *wanted)
{
	const unsigned char *bits;
	GElf_Addr vaddr;
	int n = dwfl_module_build_id(module, &bits, &vaddr);
	char text[130] = "";

	if (n <= 0)
		return true; /* this file has none to compare; the one that ran had */
	for (int i = 0; i < n && i < 64; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	return strncmp(text, wanted, strlen(wanted)) == 0;
}

/*
 * Debug data may name a file that several programs share (.gnu_debugaltlink). libdw opens it by
 * itself, without asking find_debuginfo(). True if is_odd() refuses this file.
 */
static bool shares_with_odd(Dwfl_Module *module, const char *path)
{
	const char *main_file = NULL, *debug_file = NULL, *name;
	const void *id;
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);

	if (!dwarf || dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0)
		return false;
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &main_file, &debug_file);
	return is_odd(debug_file ? debug_file : main_file ? main_file : path, "", name);
}

static enum symbol_state open_path(struct file *f, const char *path, const char *build_id)
{
	Dwfl_Module *module;
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);

	f->dwfl = fd < 0 ? NULL : dwfl_begin(&callbacks);
	/* if it succeeds, the module owns fd */
	module = f->dwfl ? dwfl_report_offline(f->dwfl, path, path, fd) : NULL;
	if (!module && fd >= 0)
		close(fd);
	if (!module || dwfl_report_end(f->dwfl, NULL, NULL) != 0)
		return SYMBOL_NO_FILE;
	if (!dwfl_module_getelf(module, &f->bias))
		return SYMBOL_NO_FILE;
	if (*build_id && !same_build_id(module, build_id))
		return SYMBOL_CHANGED;
	f->module = module;
	f->no_debug_data = shares_with_odd(module, path);
	return SYMBOL_LINE;
}

/* Where the binary has gone or changed, its debug file may still be installed. */
static enum symbol_state open_debug_file(struct file *f, const char *build_id)
{
	char path[256];

	if (strlen(build_id) < 3)
		return SYMBOL_NO_FILE;
	snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", build_id,
		build_id + 2);
	if (access(path, R_OK) != 0)
		return SYMBOL_NO_FILE;
	if (f->dwfl)
		dwfl_end(f->dwfl);
	return open_path(f, path, build_id);
}

static struct file *file_get(struct symbols *s, const char *path, const char *build_id)
{
	struct file *oldest = &s->files[0], *f;

	for (int i = 0; i < FILES_OPEN; i++) {
		f = &s->files[i];
		if (f->used && strcmp(f->path, path) == 0 && strcmp(f->build_id, build_id) == 0) {
			f->used = ++s->clock;
			return f;
		}
		if (f->used < oldest->used)
			oldest = f;
	}
	f = oldest;
	file_close(f);
	f->path = strdup(path);
	f->build_id = strdup(build_id);
	if (!f->path || !f->build_id) {
		file_close(f);
		return NULL;
	}
	f->used = ++s->clock;
	f->number = ++s->last_number;
	f->state = open_path(f, path, build_id);
	if (f->state != SYMBOL_LINE && open_debug_file(f, build_id) == SYMBOL_LINE)
		f->state = SYMBOL_LINE;
	return f;
}

/* C++ names without their parameters: what stands before the last balanced (...) at the end. */
static void strip_parameters(char *name)
{
	char *end = strrchr(name, ')');
	int depth = 0;

	for (char *p = end; p && p > name; p--) {
		depth += *p == ')';
		depth -= *p == '(';
		if (depth == 0) {
			*p = '\0';
			return;
		}
	}
}

/* A new string to free, or NULL. */
static char *readable_name(const struct symbols *s, const char *name)
{
	char *plain;
	int status;

	if (!name)
		return NULL;
	if (s->demangle && strncmp(name, "_Z", 2) == 0) {
		plain = s->demangle(name, NULL, NULL, &status);
		if (plain && status == 0) {
			strip_parameters(plain);
			return plain;
		}
		free(plain);
	}
	return strdup(name);
}

static const char *die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}

/*
 * The compilation unit of an address. Compilers other than gcc write no index of the units; then
 * all units are searched.
 */
static Dwarf_Die *unit_of(Dwfl_Module *module, GElf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

/*
 * Finds the function with `address` below `die`, up to `depth` levels deep. A compiler makes a
 * parallel region a function of its own, in the scope of the function around it. The addresses of
 * the outer function do not include it.
 */
static bool find_nested(Dwarf_Die *die, Dwarf_Addr address, int depth, Dwarf_Die *function)
{
	Dwarf_Die child;

	if (depth == 0 || dwarf_child(die, &child) != 0)
		return false;
	do {
		const int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram && dwarf_haspc(&child, address) > 0) {
			*function = child;
			return true;
		}
		if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			    tag == DW_TAG_module || tag == DW_TAG_namespace) &&
			find_nested(&child, address, depth - 1, function))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* The innermost inlined code with `address` below `die`. */
static bool find_inlined(Dwarf_Die *die, Dwarf_Addr address, int depth, Dwarf_Die *inlined)
{
	Dwarf_Die child;

	if (depth == 0 || dwarf_child(die, &child) != 0)
		return false;
	do {
		const bool is_inlined = dwarf_tag(&child) == DW_TAG_inlined_subroutine;

		if (dwarf_haspc(&child, address) <= 0)
			continue;
		if (is_inlined)
			*inlined = child;
		return find_inlined(&child, address, depth - 1, inlined) || is_inlined;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/*
 * "inner (inlined in outer)" where `address` in `unit` lies in inlined code of `outer`, else NULL.
 */
static char *inlined_name(
	const struct symbols *s, Dwarf_Die *unit, Dwarf_Addr address, const char *outer)
{
	Dwarf_Die *scopes = NULL, function, inlined;
	char *inner = NULL, *both = NULL;
	int n = dwarf_getscopes(unit, address, &scopes);

	for (int i = 0; i < n && !inner; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			inner = readable_name(s, die_linkage_name(&scopes[i]));
	}
	free(scopes);
	/* the scopes have no function, at most the unit */
	if (n <= 1 && find_nested(unit, address, SCOPES_DEEP, &function) &&
		find_inlined(&function, address, SCOPES_DEEP, &inlined))
		inner = readable_name(s, die_linkage_name(&inlined));
	if (inner && asprintf(&both, "%s (inlined in %s)", inner, outer ? outer : "?") < 0)
		both = NULL;
	free(inner);
	return both;
}

static void look_up(
	const struct symbols *s, const struct file *f, uint64_t offset, struct result *r)
{
	/* A return address belongs to the instruction after the call, maybe to the next line. */
	GElf_Addr address = f->bias + offset - 1;
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = f->no_debug_data ? NULL : unit_of(f->module, address, &bias);
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	const char *source = NULL;
	char *both;

	r->function = readable_name(s, dwfl_module_addrname(f->module, address));
	if (line && dwarf_lineno(line, &r->line) == 0)
		source = dwarf_linesrc(line, NULL, NULL);
	if (source && r->line > 0) {
		r->source = strdup(source);
		both = inlined_name(s, unit, address - bias, r->function);
		if (both) {
			free(r->function);
			r->function = both;
		}
	}
	r->state = r->source ? SYMBOL_LINE : r->function ? SYMBOL_NAME : SYMBOL_UNKNOWN;
}

static struct result *result_slot(struct symbols *s, uint32_t file, uint64_t offset)
{
	uint64_t h = (offset ^ (uint64_t)file << 40) * 0x9e3779b97f4a7c15ULL;

	for (size_t i = h >> 48;; i = (i + 1) % RESULTS) {
		struct result *r = &s->results[i % RESULTS];

		if (r->file == 0 || (r->file == file && r->offset == offset))
			return r;
	}
}

void symbols_resolve(struct symbols *s, const char *path, const char *build_id, uint64_t offset,
	struct symbol *out)
{
	struct file *f = path ? file_get(s, path, build_id ? build_id : "") : NULL;
	struct result *r;

	memset(out, 0, sizeof *out);
	out->state = f ? f->state : SYMBOL_NO_FILE;
	if (out->state == SYMBOL_LINE) {
		if (s->nresults >= RESULTS_FULL)
			results_clear(s);
		r = result_slot(s, f->number, offset);
		if (r->file == 0) {
			r->file = f->number;
			r->offset = offset;
			s->nresults++;
			look_up(s, f, offset, r);
		}
		out->state = r->state;
		out->function = r->function;
		out->file = r->source;
		out->line = r->line;
	}
}
