/* SPDX-License-Identifier: BSD-3-Clause */
/* test_module.c: finds the file to which an address belongs, and its build-id. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pmpi/callsite/module.h"
#include "unit.h"

#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void names_tell_what_a_file_is(void)
{
	static const struct {
		const char *path;
		enum module_kind kind;
	} files[] = {
		{ "/usr/lib/x86_64-linux-gnu/libmpi.so.40", MODULE_MPI },
		{ "/usr/lib/x86_64-linux-gnu/libmpich.so.12", MODULE_MPI },
		{ "libmpi_abi_mpich.so.1.0.0", MODULE_MPI },
		{ "libopen_mpi.so.40", MODULE_MPI },
		{ "libopen-rte.so.40", MODULE_MPI },
		{ "libopen-pal.so.40.30.2", MODULE_MPI },
		{ "/usr/lib/openmpi/lib/openmpi3/mca_io_romio321.so", MODULE_MPI },
		{ "/opt/cray/lib/libmpi_gnu_91.so.12", MODULE_MPI },
		{ "libucp.so.0", MODULE_MPI },
		{ "libuct_ib.so.0", MODULE_MPI },
		{ "libpsm2.so.2", MODULE_MPI },
		{ "libmpi_mpifh.so.40", MODULE_FORTRAN_BINDING },
		{ "libmpi_mpifh-gfortran.so.40", MODULE_FORTRAN_BINDING },
		{ "libmpi_usempif08.so.40", MODULE_FORTRAN_BINDING },
		{ "libmpi_usempi_ignore_tkr-gfortran.so.40", MODULE_FORTRAN_BINDING },
		{ "libmpi_cxx.so.40", MODULE_FORTRAN_BINDING },
		{ "libmpichfort.so.12", MODULE_FORTRAN_BINDING },
		{ "libmpifort_cray.so", MODULE_FORTRAN_BINDING },
		{ "/usr/local/lib/libtryst.so", MODULE_TRYST },
		{ "/usr/local/lib/tryst/tryst-openmpi.so", MODULE_TRYST },
		{ "/usr/local/lib/tryst/tryst-abi.so", MODULE_TRYST },
		{ "/usr/lib/x86_64-linux-gnu/libmpiP.so", MODULE_PROGRAM },
		{ "libmpi_solver.so", MODULE_PROGRAM },
		{ "libmpicommon.so", MODULE_PROGRAM },
		{ "libboost_mpi.so.1.74", MODULE_PROGRAM },
		{ "MPI.cpython-311-x86_64-linux-gnu.so", MODULE_PROGRAM },
		{ "/home/user/libmpi.so/program", MODULE_PROGRAM },
		{ "libc.so.6", MODULE_PROGRAM },
		{ "", MODULE_PROGRAM },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (module_kind_of_path(files[i].path) != files[i].kind)
			printf("\n    %s ", files[i].path);
		CU_ASSERT_EQUAL(module_kind_of_path(files[i].path), files[i].kind);
	}
}

/* The file's own opinion. */
static void expect_build_id(const struct module *module)
{
	int fd = open(module->path, O_RDONLY);
	const void *id = NULL;
	ssize_t bytes;
	Elf *elf;

	elf_version(EV_CURRENT);
	CU_ASSERT_FATAL(fd >= 0);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(elf);
	bytes = dwelf_elf_gnu_build_id(elf, &id);
	CU_ASSERT_EQUAL(module->build_id_bytes, bytes > 0 ? bytes : 0);
	CU_ASSERT(bytes <= 0 || memcmp(module->build_id, id, (size_t)bytes) == 0);
	elf_end(elf);
	close(fd);
}

static void addresses_of_the_program_and_of_libraries_resolve(void)
{
	void *addresses[] = { (void *)(uintptr_t)expect_build_id, dlsym(RTLD_DEFAULT, "qsort"),
		dlsym(RTLD_DEFAULT, "CU_add_suite") };
	char program[4096] = "";

	CU_ASSERT(readlink("/proc/self/exe", program, sizeof(program) - 1) > 0);
	for (int i = 0; i < 3; i++) {
		struct module_address where = module_resolve(addresses[i]);
		const struct module *module = module_get(where.module);
		Dl_info info;

		CU_ASSERT_PTR_NOT_NULL_FATAL(module);
		CU_ASSERT_EQUAL(module->number, where.module);
		CU_ASSERT_EQUAL(module_kind(addresses[i]), MODULE_PROGRAM);
		CU_ASSERT_FATAL(dladdr(addresses[i], &info) != 0);
		CU_ASSERT_EQUAL(module->base, (uint64_t)(uintptr_t)info.dli_fbase);
		CU_ASSERT_EQUAL(where.offset, (uint64_t)(uintptr_t)addresses[i] - module->base);
		CU_ASSERT_STRING_EQUAL(module->path, i == 0 ? program : info.dli_fname);
		expect_build_id(module);
	}
	CU_ASSERT_PTR_NULL(module_get(0));
	CU_ASSERT_PTR_NULL(module_get(MODULES_MAX + 1));
}

static void code_made_at_run_time_is_the_programs(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct module_address where = module_resolve(code);

	CU_ASSERT_EQUAL(where.module, 0);
	CU_ASSERT_EQUAL(where.offset, (uint64_t)(uintptr_t)code);
	CU_ASSERT_EQUAL(module_kind(code), MODULE_PROGRAM);
	CU_ASSERT_EQUAL(module_kind(NULL), MODULE_PROGRAM);
	munmap(code, 4096);
}

static void *open_beside(const char *name, void **code)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, 3000);
	void *handle;

	CU_ASSERT_FATAL(n > 0);
	path[n] = '\0';
	snprintf(strrchr(path, '/'), 1000, "/callsite/%s", name);
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
	*code = dlsym(handle, "plugin_call");
	return handle;
}

static void libraries_come_and_go_and_keep_their_numbers(void)
{
	static const struct {
		const char *name;
		enum module_kind kind;
	} files[] = {
		{ "libmpi.so.40", MODULE_MPI },
		{ "libmpi_mpifh.so.40", MODULE_FORTRAN_BINDING },
		{ "libplugin_a.so", MODULE_PROGRAM },
		{ "libplugin_b.so", MODULE_PROGRAM },
	};
	uint32_t numbers[4] = { 0 }, unloads = module_refresh();

	for (int i = 0; i < 40; i++) {
		void *code, *handle = open_beside(files[i % 4].name, &code);
		struct module_address where;

		module_refresh();
		where = module_resolve(code);
		CU_ASSERT_FATAL(where.module > 0);
		CU_ASSERT_EQUAL(where.kind, files[i % 4].kind);
		CU_ASSERT_EQUAL(module_kind(code), files[i % 4].kind);
		CU_ASSERT_PTR_NOT_NULL(strstr(module_get(where.module)->path, files[i % 4].name));
		CU_ASSERT(i < 4 || where.module == numbers[i % 4]);
		numbers[i % 4] = where.module;
		dlclose(handle);
		CU_ASSERT_EQUAL(module_refresh(), unloads + 1);
		unloads = module_unloads();
		CU_ASSERT_EQUAL(module_resolve(code).module, 0);
		CU_ASSERT_EQUAL(module_kind(code), MODULE_PROGRAM);
	}
	CU_ASSERT(numbers[0] != numbers[1] && numbers[2] != numbers[3]);
}

static void new_libraries_are_found_without_being_told(void)
{
	void *code, *handle;

	module_refresh();
	handle = open_beside("libmpi.so.40", &code);
	CU_ASSERT_EQUAL(module_kind(code), MODULE_MPI);
	dlclose(handle);
	module_refresh();
}

static void a_relative_path_becomes_absolute(void)
{
	char before[4096], path[4096];
	ssize_t n = readlink("/proc/self/exe", path, 3000);
	struct module_address where;
	void *handle;

	CU_ASSERT_FATAL(n > 0 && getcwd(before, sizeof(before)) != NULL);
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	CU_ASSERT_EQUAL_FATAL(chdir(path), 0);
	handle = dlopen("./callsite/libplugin_a.so", RTLD_NOW | RTLD_LOCAL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(handle);
	where = module_resolve(dlsym(handle, "plugin_call"));
	CU_ASSERT_FATAL(where.module > 0);
	CU_ASSERT_EQUAL(module_get(where.module)->path[0], '/');
	CU_ASSERT_EQUAL(access(module_get(where.module)->path, R_OK), 0);
	dlclose(handle);
	CU_ASSERT_EQUAL(chdir(before), 0);
	module_refresh();
}

static _Atomic bool is_over;

static void *look_up_for_ever(void *wrong)
{
	void *libc = dlsym(RTLD_DEFAULT, "qsort");
	uint32_t self_module = module_resolve((void *)(uintptr_t)expect_build_id).module;
	uint32_t libc_module = module_resolve(libc).module;
	unsigned *count = wrong;

	while (!atomic_load(&is_over)) {
		*count += module_kind(libc) != MODULE_PROGRAM;
		*count += module_resolve(libc).module != libc_module;
		*count += module_resolve((void *)(uintptr_t)expect_build_id).module != self_module;
	}
	return NULL;
}

static void lookups_are_right_while_libraries_come_and_go(void)
{
	pthread_t threads[2];
	unsigned wrong[2] = { 0, 0 };

	for (int i = 0; i < 2; i++)
		CU_ASSERT_EQUAL_FATAL(
			pthread_create(&threads[i], NULL, look_up_for_ever, &wrong[i]), 0);
	for (int i = 0; i < 300; i++) {
		void *code, *handle = open_beside("libmpi.so.40", &code);

		CU_ASSERT_EQUAL(module_kind(code), MODULE_MPI);
		dlclose(handle);
		module_refresh();
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(wrong[i], 0);
	}
}

/* A thread that unloads a library, and what was seen of it. */
struct closing {
	void *handle;
	const unsigned char *code;
	_Atomic bool is_held, is_closed;
	bool was_closed;
	unsigned char first;
};

static void *close_library(void *context)
{
	struct closing *c = context;

	while (!atomic_load(&c->is_held))
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	dlclose(c->handle);
	atomic_store(&c->is_closed, true);
	return NULL;
}

static void look_while_it_is_closed(void *context)
{
	struct closing *c = context;

	atomic_store(&c->is_held, true);
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	c->was_closed = atomic_load(&c->is_closed);
	if (!c->was_closed)
		c->first = *(const volatile unsigned char *)c->code;
}

static void a_library_that_is_held_cannot_be_unloaded(void)
{
	struct closing c = { .was_closed = true };
	pthread_t thread;
	void *code;

	c.handle = open_beside("libplugin_b.so", &code);
	c.code = code;
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, close_library, &c), 0);
	/* module_hold() has to find the new library first */
	CU_ASSERT(module_hold(look_while_it_is_closed, &c));
	CU_ASSERT_FALSE(c.was_closed);
	CU_ASSERT_NOT_EQUAL(c.first, 0);
	pthread_join(thread, NULL);
	CU_ASSERT(atomic_load(&c.is_closed));
	module_refresh();
	CU_ASSERT_EQUAL(module_resolve(code).module, 0);
}

static const struct unit_test tests[] = {
	{ "names tell what a file is", names_tell_what_a_file_is },
	{ "addresses of the program and of libraries resolve",
		addresses_of_the_program_and_of_libraries_resolve },
	{ "code made at run time is the program's", code_made_at_run_time_is_the_programs },
	{ "libraries come and go and keep their numbers",
		libraries_come_and_go_and_keep_their_numbers },
	{ "new libraries are found without being told",
		new_libraries_are_found_without_being_told },
	{ "a relative path becomes absolute", a_relative_path_becomes_absolute },
	{ "lookups are right while libraries come and go",
		lookups_are_right_while_libraries_come_and_go },
	{ "a library that is held cannot be unloaded", a_library_that_is_held_cannot_be_unloaded },
	{ NULL, NULL },
};

int main(void)
{
	return unit_main("module", tests);
}
