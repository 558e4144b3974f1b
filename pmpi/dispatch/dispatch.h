/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.h: between libtryst.so, which is preloaded, and tryst-<mpi>.so, which it opens.
 */
#ifndef TRYST_DISPATCH_DISPATCH_H
#define TRYST_DISPATCH_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

/* The functions behind the marks of include/tryst.h; NULL until the shim has set them. */
struct shim_marks {
	void (*begin)(const char *name);
	void (*end)(void);
};

/* Functions and data of libtryst.so for tryst-<mpi>.so. Lives as long as the process. */
struct shim_host {
	uint32_t version;        /* SHIM_VERSION */
	uint64_t functions_hash; /* function_names_hash(): both sides number the functions alike */

	/*
	 * The next function of that name behind libtryst.so in the order of symbol search, so that
	 * other tools stacked there still get their calls. NULL if there is none.
	 */
	void *(*function)(const char *name);

	/*
	 * The address that the whole process uses for a data symbol of the MPI library. It may be a
	 * copy in the executable. NULL if there is none.
	 */
	void *(*data)(const char *name);

	struct shim_marks *marks; /* for the shim to set */
};

enum { SHIM_VERSION = 3 };

/* One function's wrappers; NULL: none, calls go to the real function. */
struct shim_entry {
	uint16_t fn; /* FN_* */
	void *mpi;   /* for MPI_X */
	void *pmpi;  /* for PMPI_X */
};

enum shim_error {
	SHIM_OK = 0,
	SHIM_OTHER_VERSION = -1, /* not built with this libtryst.so */
	SHIM_NO_HANDLE = -2      /* the MPI library lacks a symbol that mpi.h promises */
};

/*
 * tryst_shim_load() of tryst-<mpi>.so: looks up the real functions and returns the wrappers. Called
 * once, before any wrapper, possibly before MPI_Init. *entries belongs to the shim. Returns enum
 * shim_error; after an error no function of the shim is called again.
 */
typedef int shim_load_function(
	const struct shim_host *host, const struct shim_entry **entries, size_t *count);
shim_load_function tryst_shim_load;

#endif
