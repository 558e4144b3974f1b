/* SPDX-License-Identifier: BSD-3-Clause */
/* test_symbols.c: finds function names and lines of addresses in this program itself. */
#include <config.h>

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/symbols/symbols.h"
#include "tests/unit/unit.h"

static char build_id[64];
static uint64_t here; /* a return address in this program, as its file has it */
static int here_line;

/* Where the caller goes on. */
static __attribute__((noinline)) uint64_t return_address(void)
{
	return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

static int find_self(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *note = (const char *)info->dlpi_addr + p->p_vaddr;
		const char *end = note + p->p_memsz;

		while (p->p_type == PT_NOTE && note + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *h = (const void *)note;
			const unsigned char *bits =
				(const unsigned char *)note + sizeof *h + ((h->n_namesz + 3) & ~3U);

			if (h->n_type == NT_GNU_BUILD_ID && h->n_descsz <= 20)
				for (unsigned k = 0; k < h->n_descsz; k++)
					snprintf(build_id + 2 * k, 3, "%02x", bits[k]);
			note = (const char *)bits + ((h->n_descsz + 3) & ~3U);
		}
	}
	*(uint64_t *)base = info->dlpi_addr;
	return 1; /* the first one is the program */
}

/* The call stands on a line of its own, and the return address belongs to the next one. */
static __attribute__((noinline)) void call_from_here(void)
{
	uint64_t base = 0;

	here_line = __LINE__ + 1;
	here = return_address();
	dl_iterate_phdr(find_self, &base);
	here -= base;
}

static void a_return_address_gives_the_line_of_the_call(void)
{
	struct symbols *s = symbols_new();
	struct symbol out;

	symbols_resolve(s, "/proc/self/exe", build_id, here, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_LINE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out.function);
	CU_ASSERT_STRING_EQUAL(out.function, "call_from_here");
	CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(out.file, "test_symbols.c"));
	CU_ASSERT_EQUAL(out.line, here_line);
	symbols_free(s);
}

/* As other compilers leave it: without .debug_aranges. */
static void without_an_index_of_units_there_is_a_line_too(void)
{
	struct symbols *s = symbols_new();
	struct symbol out;
	char path[] = "unit-XXXXXX", self[PATH_MAX] = "", command[PATH_MAX + 200];
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	/* to others the program of this process is valgrind, under it */
	CU_ASSERT_FATAL(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(command, sizeof(command), "objcopy --remove-section .debug_aranges '%s' %s", self,
		path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	symbols_resolve(s, path, build_id, here, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_LINE);
	CU_ASSERT_EQUAL(out.line, here_line);
	CU_ASSERT_STRING_EQUAL(out.function ? out.function : "", "call_from_here");
	symbols_free(s);
	unlink(path);
}

static void a_file_with_another_build_id_is_not_believed(void)
{
	struct symbols *s = symbols_new();
	struct symbol out;

	symbols_resolve(
		s, "/proc/self/exe", "00112233445566778899aabbccddeeff00112233", here, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_CHANGED);
	CU_ASSERT_PTR_NULL(out.function);
	symbols_free(s);
}

static void without_debug_information_there_is_a_name_and_no_line(void)
{
	struct symbols *s = symbols_new();
	struct symbol out;
	char path[4096] = "";
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4300];
	uint64_t base = 0;
	void *libc = dlopen("libc.so.6", RTLD_LAZY); /* a checker may stand before its functions */

	while (fgets(line, sizeof line, maps))
		if (strstr(line, "/libc.so.6")) {
			base = strtoull(line, NULL, 16);
			sscanf(strchr(line, '/'), "%4095[^\n]", path);
			break;
		}
	fclose(maps);
	CU_ASSERT_NOT_EQUAL_FATAL(base, 0);
	symbols_resolve(s, path, "", (uint64_t)(uintptr_t)dlsym(libc, "qsort") - base + 4, &out);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out.function);
	CU_ASSERT_PTR_NOT_NULL(strstr(out.function, "qsort"));
	CU_ASSERT(out.state == SYMBOL_NAME || out.state == SYMBOL_LINE); /* libc6-dbg */
	symbols_free(s);
	dlclose(libc);
}

static void what_cannot_be_read_is_said_to_be_missing(void)
{
	struct symbols *s = symbols_new();
	struct symbol out;

	symbols_resolve(s, "/nonexistent", "", 1, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_NO_FILE);
	symbols_resolve(s, NULL, NULL, 1, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_NO_FILE);
	symbols_resolve(s, "/proc/self/exe", NULL, UINT64_MAX / 2, &out);
	CU_ASSERT_EQUAL(out.state, SYMBOL_UNKNOWN);
	symbols_free(s);
	symbols_free(NULL);
}

static void more_modules_than_stay_open_are_still_found(void)
{
	struct symbols *s = symbols_new();
	char self[PATH_MAX] = "", path[PATH_MAX + 64];
	struct symbol out;

	CU_ASSERT_FATAL(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof path, "%.*s%s", i, "////////////////////////////////////////",
			self);
		symbols_resolve(s, path, build_id, here, &out);
		CU_ASSERT_EQUAL(out.line, here_line);
	}
	symbols_resolve(s, "/proc/self/exe", build_id, here, &out);
	CU_ASSERT_EQUAL(out.line, here_line);
	symbols_free(s);
}

static const struct unit_test tests[] = { { "a return address gives the line of the call",
						  a_return_address_gives_the_line_of_the_call },
	{ "a file with another build-id is not believed",
		a_file_with_another_build_id_is_not_believed },
	{ "without an index of units there is a line, too",
		without_an_index_of_units_there_is_a_line_too },
	{ "without debug information there is a name and no line",
		without_debug_information_there_is_a_name_and_no_line },
	{ "what cannot be read is said to be missing", what_cannot_be_read_is_said_to_be_missing },
	{ "more modules than stay open are still found",
		more_modules_than_stay_open_are_still_found },
	{ NULL, NULL } };

int main(void)
{
	call_from_here();
	return unit_main("symbols", tests);
}
