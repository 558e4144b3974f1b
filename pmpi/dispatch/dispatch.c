/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.c: libtryst.so, the one library to preload for any MPI.
 *
 * It is loaded into every process of a job: shells, launchers, `date`. So it has no constructor
 * and does nothing until the first call of an MPI function. Then it finds out which MPI library
 * the process has loaded, opens the shim built for it, and fills the table through which all
 * exported entries jump (dispatch_<arch>.S). An entry is one of:
 *
 *   wrapper         if the shim has one
 *   real function   if the shim has none, no shim fits this library, or recording is off
 *   lazy stub       before the first call, and if the library has no such function
 *
 * MPI_X goes to the next MPI_X and PMPI_X to the next PMPI_X, so that other tools may be stacked
 * before and behind.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/format/run/proc.h"
#include "analysis/base/shown.h"
#include "pmpi/dispatch/dispatch.h"
#include "functions.h"
#include "tryst.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* Slot 2 * fn is MPI_X, 2 * fn + 1 is PMPI_X. */
extern void *dispatch_slot[2 * FN_COUNT] HIDDEN;
extern const char dispatch_stub_begin[] HIDDEN, dispatch_stub_end[] HIDDEN;
void *dispatch_resolve(unsigned slot) HIDDEN;

static struct {
	pthread_mutex_t lock; /* recursive: loading may itself call MPI */
	bool loading;
	bool loaded;            /* the table holds all wrappers that it will ever hold */
	void *library;          /* libmpi, if symbol search does not reach it */
	char version[8192 + 1]; /* MPI_Get_library_version */
	char dir[PATH_MAX];     /* of libtryst.so */
} dispatch = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP };

/* ---- finding the real functions ---- */

struct objects {
	char **path;
	size_t count;
	const char *self; /* where libtryst.so is mapped */
	bool behind;      /* libtryst.so has been passed */
};

static bool holds(const struct dl_phdr_info *info, const char *address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
			(uintptr_t)address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int collect_object(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct objects *o = argument;
	char **path;

	(void)size;
	if (!o->behind) {
		o->behind = holds(info, o->self);
		return 0;
	}
	path = realloc(o->path, (o->count + 1) * sizeof(*path));
	if (!path)
		return 1;
	o->path = path;
	path[o->count] = strdup(info->dlpi_name);
	if (path[o->count])
		o->count++;
	return 0;
}

/* The object that defines `symbol`, opened again, if it is `path` or a library that path needs. */
static void *open_definer(const char *path, const char *symbol)
{
	void *handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY);
	void *address, *definer = NULL;
	Dl_info info;

	if (!handle)
		return NULL;
	address = dlsym(handle, symbol);
	if (address && dladdr(address, &info))
		definer = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
	dlclose(handle);
	return definer;
}

/*
 * If libmpi was opened with RTLD_LOCAL, as Python does, symbol search does not reach it. Then look
 * through the objects loaded after this one; those before it are tools that forward to us. Look for
 * PMPI_Init first: the library defines it, and other tools seldom do.
 */
static void *find_library(void)
{
	static const char *const symbol[] = { "PMPI_Init", "MPI_Init" };
	struct objects o = { .self = dispatch_stub_begin };
	void *library = NULL;

	dl_iterate_phdr(collect_object, &o);
	for (size_t s = 0; s < 2 && !library; s++)
		for (size_t i = 0; i < o.count && !library; i++)
			library = open_definer(o.path[i], symbol[s]);
	for (size_t i = 0; i < o.count; i++)
		free(o.path[i]);
	free(o.path);
	return library;
}

/* dlsym() identifies its caller by the return address, so it must not become a tail call. */
static void *next_function(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);

	if (!address && dispatch.library)
		address = dlsym(dispatch.library, name);
	return address;
}

static void *next_data(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);

	if (!address && dispatch.library)
		address = dlsym(dispatch.library, name);
	return address;
}

/* True if this process has loaded an MPI library. */
static bool have_library(void)
{
	if (dispatch.library || dlsym(RTLD_NEXT, "MPI_Init"))
		return true;
	dispatch.library = find_library();
	return dispatch.library != NULL;
}

static const char *slot_name(unsigned slot, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s%s", slot & 1 ? "P" : "", function_name(slot / 2));
	return buffer;
}

static void *real_function(unsigned slot)
{
	char name[64];

	return next_function(slot_name(slot, name, sizeof(name)));
}

/* ---- marks of the program ---- */

static struct shim_marks marks;

__attribute__((visibility("default"))) void tryst_mark_begin(const char *name)
{
	void (*begin)(const char *) = __atomic_load_n(&marks.begin, __ATOMIC_ACQUIRE);

	if (begin)
		begin(name);
}

__attribute__((visibility("default"))) void tryst_mark_end(void)
{
	void (*end)(void) = __atomic_load_n(&marks.end, __ATOMIC_ACQUIRE);

	if (end)
		end();
}

/* ---- opening the shim ---- */

/* Prints one line why nothing is recorded; only on rank 0 if the launcher tells the rank. */
static void say(const char *what, const char *detail)
{
	static const char *const rank[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
		"SLURM_PROCID" };
	const char *messages = getenv("TRYST_MESSAGES");
	char shown[2048];

	if (messages && strcmp(messages, "quiet") == 0)
		return;
	for (size_t i = 0; i < sizeof(rank) / sizeof(*rank); i++) {
		const char *value = getenv(rank[i]);

		if (value && strcmp(value, "0") != 0)
			return;
		if (value)
			break;
	}
	fprintf(stderr, "tryst: nothing is recorded: %s%s\n", what,
		shown_text(detail, shown, sizeof(shown)));
}

/* True if the library has the standard ABI of MPI-5, with the same handles and types everywhere. */
static bool has_standard_abi(void)
{
	int (*get_abi)(int *, int *) = (int (*)(int *, int *))next_function("PMPI_Abi_get_version");
	int major = -1, minor = -1;

	return get_abi && get_abi(&major, &minor) == 0 && major == 1;
}

/* The shim for the library, by its version text; NULL: none. Sets dispatch.version. */
static const char *which_mpi(void)
{
	static const struct {
		const char *says, *mpi;
	} known[] = {
#define LIBRARY(name, says, shim, tried, how) { says, shim },
#include "libraries.def"
#undef LIBRARY
	};
	int (*get_version)(char *, int *);
	int length = 0;

	get_version = (int (*)(char *, int *))next_function("PMPI_Get_library_version");
	if (!get_version || get_version(dispatch.version, &length) != 0)
		return NULL;
	if (has_standard_abi())
		return "abi";
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(dispatch.version, known[i].says))
			return known[i].mpi;
	return NULL;
}

/* The file from which this code was mapped, if dladdr() only knows a relative name. */
static bool path_from_maps(char *path)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	bool found = false;

	if (!maps)
		return false;
	while (!found && fgets(line, sizeof(line), maps)) {
		const char *file = proc_maps_file(line, (uint64_t)(uintptr_t)dispatch_stub_begin);

		if (file)
			snprintf(path, PATH_MAX, "%s", file);
		found = file != NULL;
	}
	fclose(maps);
	return found;
}

/* Set dispatch.dir. */
static bool find_own_dir(void)
{
	Dl_info self;
	char path[PATH_MAX];
	char *slash;

	if (!dladdr(dispatch_stub_begin, &self))
		return false;
	if (self.dli_fname[0] == '/')
		snprintf(path, sizeof(path), "%s", self.dli_fname);
	else if (!path_from_maps(path))
		return false;
	slash = strrchr(path, '/');
	*slash = '\0';
	memcpy(dispatch.dir, path, sizeof(path));
	return true;
}

/* Opens tryst-<mpi>.so beside this library; NULL, with a line on stderr, if it cannot. */
static void *open_shim(const char *mpi)
{
	static const char *const where[] = { "/tryst", "" };
	char path[2 * PATH_MAX];
	void *shim;

	if (!find_own_dir()) {
		say("cannot find out where libtryst.so lies", "");
		return NULL;
	}
	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++) {
		snprintf(path, sizeof(path), "%s%s/tryst-%s.so", dispatch.dir, where[i], mpi);
		if (access(path, F_OK) != 0)
			continue;
		shim = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!shim)
			say("", dlerror());
		return shim;
	}
	snprintf(path, sizeof(path), "'%s/tryst/tryst-%s.so' is not installed", dispatch.dir, mpi);
	say(path, "");
	return NULL;
}

static void fill_slots(const struct shim_entry *entry, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (entry[i].mpi)
			__atomic_store_n(
				&dispatch_slot[2 * entry[i].fn], entry[i].mpi, __ATOMIC_RELEASE);
		if (entry[i].pmpi)
			__atomic_store_n(&dispatch_slot[2 * entry[i].fn + 1], entry[i].pmpi,
				__ATOMIC_RELEASE);
	}
}

static void load_shim(void)
{
	static struct shim_host host;
	const char *record = getenv("TRYST_RECORD");
	const char *mpi;
	void *shim;
	shim_load_function *load;
	const struct shim_entry *entries = NULL;
	size_t count = 0;

	if (record && strcmp(record, "off") == 0)
		return;
	mpi = which_mpi();
	if (!mpi) {
		dispatch.version[strcspn(dispatch.version, "\n,")] = '\0';
		say("the MPI library is neither Open MPI nor of the MPICH family, nor has it the "
		    "standard ABI: ",
			dispatch.version[0] ? dispatch.version : "it does not say what it is");
		return;
	}
	shim = open_shim(mpi);
	if (!shim)
		return;
	host = (struct shim_host){
		.version = SHIM_VERSION,
		.functions_hash = function_names_hash(),
		.function = next_function,
		.data = next_data,
		.marks = &marks,
	};
	load = (shim_load_function *)dlsym(shim, "tryst_shim_load");
	switch (load ? load(&host, &entries, &count) : SHIM_OTHER_VERSION) {
	case SHIM_OK:
		fill_slots(entries, count);
		return;
	case SHIM_NO_HANDLE:
		say("this shim was built for another version of the library: ", dispatch.version);
		break;
	default:
		say("libtryst.so and its shim are of different versions in ", dispatch.dir);
	}
	/* The shim stays open, since its code may have been entered. */
}

/*
 * Fills the table once. A second thread waits for the first, but not for ever: it may hold the
 * dynamic linker's lock (in a constructor) that the first one needs. After that time it calls the
 * real function, unrecorded. So does a call made from within this function.
 */
static bool load_once(void)
{
	struct timespec deadline;
	bool loaded;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += 2;
	if (pthread_mutex_timedlock(&dispatch.lock, &deadline) != 0)
		return false;
	if (!dispatch.loaded && !dispatch.loading) {
		dispatch.loading = true;
		if (have_library()) {
			load_shim();
			__atomic_store_n(&dispatch.loaded, true, __ATOMIC_RELEASE);
		}
		dispatch.loading = false;
	}
	loaded = dispatch.loaded;
	pthread_mutex_unlock(&dispatch.lock);
	return loaded;
}

/* The answers of MPI_Initialized and MPI_Finalized before an MPI library is loaded. */
static int not_yet(int *flag)
{
	*flag = 0;
	return 0;
}

/*
 * Called by a slot's lazy stub; returns the function to continue with. If there is none, it exits
 * as the dynamic linker does: without tryst the program would end here, too. Signals and
 * cancellation are blocked: a handler that jumped out, or a thread that ended here, would leave our
 * lock or the linker's taken for ever.
 */
void *dispatch_resolve(unsigned slot)
{
	int saved_errno = errno;
	sigset_t all, old;
	void *function;
	bool loaded;
	char name[64];
	int cancel;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	loaded = __atomic_load_n(&dispatch.loaded, __ATOMIC_ACQUIRE) || load_once();
	function = __atomic_load_n(&dispatch_slot[slot], __ATOMIC_ACQUIRE);
	if ((const char *)function >= dispatch_stub_begin &&
		(const char *)function < dispatch_stub_end) {
		function = real_function(slot);
		if (function && loaded)
			__atomic_store_n(&dispatch_slot[slot], function, __ATOMIC_RELEASE);
	}
	if (!function && (slot / 2 == FN_MPI_Initialized || slot / 2 == FN_MPI_Finalized) &&
		!loaded)
		function = (void *)not_yet;
	if (!function) {
		fprintf(stderr, "%s: symbol lookup error: %s: undefined symbol: %s\n",
			program_invocation_name, program_invocation_name,
			slot_name(slot, name, sizeof(name)));
		_exit(127);
	}
	pthread_setcancelstate(cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = saved_errno;
	return function;
}
