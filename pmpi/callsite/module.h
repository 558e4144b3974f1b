/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.h: the file to which an address of code belongs, and the kind of that file.
 *
 * A module is an executable or shared library as the dynamic linker loaded it. Its number is
 * given once: the same file (path and build-id) loaded again, at whatever address, keeps it.
 * All functions may be called from any thread, also from signal handlers; none allocates with
 * malloc. They lock only where an address is in no module known so far.
 */
#ifndef TRYST_CALLSITE_MODULE_H
#define TRYST_CALLSITE_MODULE_H

#include <stdatomic.h>
#include <stdint.h>

enum module_kind {
	MODULE_PROGRAM,         /* the program, its libraries, other tools, code made at run time */
	MODULE_MPI,             /* MPI's own libraries and plugins, and what moves its messages */
	MODULE_FORTRAN_BINDING, /* MPI's Fortran (C++, Java) binding: its calls are the program's */
	MODULE_TRYST            /* this library */
};

enum {
	MODULE_EXECUTABLE = 1,     /* the dynamic linker lists it first */
	MODULES_MAX = 4096,        /* files beyond this number count as no module */
	MODULE_BUILD_ID_BYTES = 23 /* as many as struct rec_module holds */
};

/* Never changes and never moves once its number has been seen. */
struct module {
	uint32_t number; /* 1, 2, ..., MODULES_MAX */
	enum module_kind kind;
	uint64_t base;          /* load address when first seen (dlpi_addr; 0: not relocated) */
	const char *path;       /* absolute if known; the program: its executable */
	uint64_t hash;          /* of path and build-id */
	uint8_t build_id_bytes; /* 0: none; cut at MODULE_BUILD_ID_BYTES */
	uint8_t build_id[MODULE_BUILD_ID_BYTES];
};

/* One address, resolved. */
struct module_address {
	uint32_t module; /* number; 0: in no module, offset is the address itself */
	enum module_kind kind;
	uint64_t offset; /* address minus the load bias, as libdw expects it for that file */
};

/*
 * The kind of the code at `address` (typically a return address). Takes about 2 ns if this thread's
 * last addresses were in the same few pages, else 10 to 50 ns, or some microseconds if the library
 * is new. Code in no module (JIT) is MODULE_PROGRAM and costs 50 ns. A binding in the same file as
 * the MPI library counts as MODULE_MPI.
 */
enum module_kind module_kind(const void *address);

/* Resolves `address`, which must be of code (an executable segment). */
struct module_address module_resolve(const void *address);

/* Where the unwind information of the code at an address lies, in memory. */
struct module_frames {
	uint64_t begin; /* of all that is loaded of the file */
	uint64_t end;
	uint64_t table; /* address of .eh_frame_hdr */
	uint64_t table_bytes;
};

/* False if the address is in no module, or in a module without such a table. */
_Bool module_find_frames(const void *address, struct module_frames *frames);

/*
 * Copies the GNU build-id from the notes of a segment, at most `room` bytes, to id[]. Returns its
 * length, 0 if there is none.
 */
unsigned module_note_build_id(
	const uint8_t *note, uint64_t bytes, uint64_t align, uint8_t *id, unsigned room);

/* The module of that number, NULL if there is none. Owned by module.c, lives for ever. */
const struct module *module_get(uint32_t number);

/*
 * Lists the loaded files again if libraries were loaded or unloaded since the last time. Takes 20
 * to 60 ns if nothing has changed. Call it after MPI_Init, which opens plugins. Returns
 * module_unloads().
 */
uint32_t module_refresh(void);

/*
 * Calls use(context) once, while no library can be unloaded and every loaded one is known. `use`
 * may read all loaded libraries. It runs with signals blocked and under the linker's lock: it must
 * neither wait for another thread nor jump out. False: `use` was not called, because other threads
 * kept loading and unloading libraries. Takes 0.2 us.
 */
_Bool module_hold(void (*use)(void *context), void *context);

extern __attribute__((visibility("hidden"))) _Atomic uint32_t module_unload_count;

/*
 * How often libraries were unloaded, as of the last look. While this number stays the same,
 * addresses keep their meaning.
 */
static inline uint32_t module_unloads(void)
{
	return atomic_load_explicit(&module_unload_count, memory_order_relaxed);
}

/* The kind of a file, by its name alone; MODULE_TRYST only for names that tryst uses. */
enum module_kind module_kind_of_path(const char *path);

#endif
