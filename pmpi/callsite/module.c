/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.c: the dynamic linker's list of files, kept as a sorted table of executable segments.
 *
 * Lookups read the table without a lock: its version is odd while it is rewritten, and a reader
 * that saw two versions looks again. Rewriting ("taking stock") happens where an address is in no
 * segment and the linker's own counters say that something was loaded or unloaded. The one
 * rewriter blocks signals, so that a handler never waits for the thread it interrupted.
 *
 * Each thread remembers the kind of four pages: the nesting guard asks on each call, mostly
 * about two pages. Pages never belong to two files.
 *
 * If a library is unloaded and another one gets its addresses, they still resolve to the old one
 * until a thread meets an unknown address or calls module_refresh().
 */
#include "pmpi/callsite/module.h"
#include "pmpi/callsite/arena.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fnv.h"

enum { PAGE_SHIFT = 12, NEAR_PAGES = 4, PATH_BYTES = 4096, LOCK_TRIES = 1000, HOLD_TRIES = 3 };

struct segment {
	_Atomic uint64_t begin;
	_Atomic uint64_t end;
	_Atomic uint64_t bias;
	_Atomic uint32_t module;
	_Atomic uint32_t kind;
	struct {
		_Atomic uint64_t begin;
		_Atomic uint64_t end;
		_Atomic uint64_t table;
		_Atomic uint64_t table_bytes;
	} frames;
};

static struct {
	_Atomic uint32_t version;
	_Atomic uint32_t count;
	struct segment segment[MODULES_MAX];
} table;

_Atomic uint32_t module_unload_count;
static _Atomic uint64_t loads_seen;

/* The thread that rewrites holds it. Only that thread uses what follows; all read numbered modules.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module modules[MODULES_MAX];
static _Atomic uint32_t module_count;
static struct arena names = { .limit = 1 << 22 };

struct plain_segment {
	uint64_t begin;
	uint64_t end;
	uint64_t bias;
	uint32_t module;
	uint32_t kind;
	struct module_frames frames;
};

static struct {
	unsigned files; /* visited so far */
	unsigned count;
	uint64_t loads;
	uint64_t unloads;
	char path[PATH_BYTES];
	struct plain_segment segment[MODULES_MAX];
} stock;

static _Thread_local struct {
	uint32_t version;
	uint64_t page[NEAR_PAGES]; /* number << 2 | kind; 0: none */
} near;

/* ---- what a file is, by its name ---- */

static const struct {
	const char *stem; /* what the name begins with, up to a '.', '-', '+' or its end */
	bool open;        /* anything may follow */
	enum module_kind kind;
} stems[] = {
	{ "libmpi_mpifh", false, MODULE_FORTRAN_BINDING },
	{ "libmpi_usempi", true, MODULE_FORTRAN_BINDING },
	{ "libmpi_f77", false, MODULE_FORTRAN_BINDING },
	{ "libmpi_f90", false, MODULE_FORTRAN_BINDING },
	{ "libmpi_cxx", false, MODULE_FORTRAN_BINDING },
	{ "libmpi_java", false, MODULE_FORTRAN_BINDING },
	{ "libmpifort", true, MODULE_FORTRAN_BINDING },
	{ "libmpif77", false, MODULE_FORTRAN_BINDING },
	{ "libmpif90", false, MODULE_FORTRAN_BINDING },
	{ "libmpicxx", false, MODULE_FORTRAN_BINDING },
	{ "libmpichfort", false, MODULE_FORTRAN_BINDING },
	{ "libmpichf77", false, MODULE_FORTRAN_BINDING },
	{ "libmpichf90", false, MODULE_FORTRAN_BINDING },
	{ "libmpichcxx", false, MODULE_FORTRAN_BINDING },
	{ "libfmpich", false, MODULE_FORTRAN_BINDING },
	{ "libmpi", false, MODULE_MPI },
	{ "libmpi_abi", true, MODULE_MPI },
	{ "libopen_mpi", false, MODULE_MPI },
	{ "libmpi_cray", true, MODULE_MPI },
	{ "libmpi_gnu", true, MODULE_MPI },
	{ "libmpi_intel", true, MODULE_MPI },
	{ "libmpi_nvidia", true, MODULE_MPI },
	{ "libmpi_amd", true, MODULE_MPI },
	{ "libmpi_gtl", true, MODULE_MPI },
	{ "libmpi_mt", false, MODULE_MPI },
	{ "libmpi_dbg", true, MODULE_MPI },
	{ "libmpich", false, MODULE_MPI },
	{ "libpmpi", false, MODULE_MPI },
	{ "libmpl", false, MODULE_MPI },
	{ "libopen-rte", false, MODULE_MPI },
	{ "libopen-pal", false, MODULE_MPI },
	{ "libmca_", true, MODULE_MPI },
	{ "mca_", true, MODULE_MPI },
	{ "liboshmem", false, MODULE_MPI },
	{ "libpmix", false, MODULE_MPI },
	{ "libpmi", false, MODULE_MPI },
	{ "libpmi2", false, MODULE_MPI },
	{ "libprrte", false, MODULE_MPI },
	{ "libucp", false, MODULE_MPI },
	{ "libuct", true, MODULE_MPI },
	{ "libucs", true, MODULE_MPI },
	{ "libucm", true, MODULE_MPI },
	{ "libucc", true, MODULE_MPI },
	{ "libfabric", false, MODULE_MPI },
	{ "libpsm2", false, MODULE_MPI },
	{ "libpsm_infinipath", false, MODULE_MPI },
	{ "libibverbs", false, MODULE_MPI },
	{ "librdmacm", false, MODULE_MPI },
	{ "libhcoll", false, MODULE_MPI },
	{ "libocoms", false, MODULE_MPI },
	{ "libsharp", true, MODULE_MPI },
	{ "libtryst", false, MODULE_TRYST },
	{ "tryst-openmpi", false, MODULE_TRYST },
	{ "tryst-mpich", false, MODULE_TRYST },
	{ "tryst-abi", false, MODULE_TRYST },
};

enum module_kind module_kind_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		size_t length = strlen(stems[i].stem);

		if (strncmp(name, stems[i].stem, length) != 0)
			continue;
		if (stems[i].open || !name[length] || strchr(".-+", name[length]))
			return stems[i].kind;
	}
	return MODULE_PROGRAM;
}

/* ---- listing the loaded files ---- */

static bool is_loaded(const struct dl_phdr_info *info, uint64_t begin, uint64_t bytes)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t offset = begin - segment->p_vaddr;

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) &&
			begin >= segment->p_vaddr && offset <= segment->p_memsz &&
			bytes <= segment->p_memsz - offset)
			return true;
	}
	return false;
}

unsigned module_note_build_id(
	const uint8_t *note, uint64_t bytes, uint64_t align, uint8_t *id, unsigned room)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) head;
		uint64_t content, all;

		memcpy(&head, note, sizeof(head));
		content = (sizeof(head) + head.n_namesz + align - 1) & -align;
		all = (content + head.n_descsz + align - 1) & -align;
		if (content + head.n_descsz > bytes)
			return 0;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
			memcmp(note + sizeof(head), "GNU", 4) == 0) {
			unsigned n = head.n_descsz < room ? head.n_descsz : room;

			memcpy(id, note + content, n);
			return n;
		}
		if (all >= bytes)
			return 0;
		note += all;
		bytes -= all;
	}
	return 0;
}

static unsigned find_build_id(const struct dl_phdr_info *info, uint8_t *id, unsigned room)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		unsigned n;

		if (segment->p_type != PT_NOTE ||
			!is_loaded(info, segment->p_vaddr, segment->p_memsz))
			continue;
		n = module_note_build_id(
			(const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr),
			segment->p_memsz, segment->p_align == 8 ? 8 : 4, id, room);
		if (n)
			return n;
	}
	return 0;
}

/* Puts the file's path into stock.path, absolute if possible. */
static void find_path(const struct dl_phdr_info *info, bool program)
{
	const char *name = info->dlpi_name ? info->dlpi_name : "";
	size_t used = 0;

	if (program) {
		ssize_t n = readlink("/proc/self/exe", stock.path, PATH_BYTES - 1);

		if (n > 0) {
			stock.path[n] = '\0';
			return;
		}
	} else if (name[0] != '/' && strchr(name, '/') && getcwd(stock.path, PATH_BYTES - 1)) {
		used = strlen(stock.path);
		stock.path[used++] = '/';
	}
	snprintf(stock.path + used, PATH_BYTES - used, "%s", name);
}

/* The number of the file that `seen` describes (all but number and path filled); 0: no room. */
static uint32_t number_of(struct module *seen)
{
	uint32_t count = atomic_load_explicit(&module_count, memory_order_relaxed);
	size_t path_bytes = strlen(stock.path) + 1;
	char *path;

	seen->hash = fnv_bytes(FNV_START, stock.path, path_bytes);
	seen->hash = fnv_bytes(seen->hash, seen->build_id, seen->build_id_bytes);
	for (uint32_t i = 0; i < count; i++) {
		if (modules[i].hash == seen->hash &&
			modules[i].build_id_bytes == seen->build_id_bytes &&
			memcmp(modules[i].build_id, seen->build_id, seen->build_id_bytes) == 0 &&
			strcmp(modules[i].path, stock.path) == 0)
			return modules[i].number;
	}
	path = count < MODULES_MAX ? arena_take(&names, path_bytes) : NULL;
	if (!path)
		return 0;
	memcpy(path, stock.path, path_bytes);
	seen->path = path;
	seen->number = count + 1;
	modules[count] = *seen;
	atomic_store_explicit(&module_count, count + 1, memory_order_release);
	return seen->number;
}

/* Keeps stock.segment sorted: files come in the order of loading, segments of one file ascend. */
static void add_segment(const struct plain_segment *segment)
{
	unsigned at = stock.count;

	if (at == MODULES_MAX)
		return;
	for (; at > 0 && stock.segment[at - 1].begin > segment->begin; at--)
		stock.segment[at] = stock.segment[at - 1];
	stock.segment[at] = *segment;
	stock.count++;
}

static struct module_frames find_frames(const struct dl_phdr_info *info)
{
	struct module_frames frames = { .begin = UINT64_MAX };

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && begin < frames.begin)
			frames.begin = begin;
		if (segment->p_type == PT_LOAD && begin + segment->p_memsz > frames.end)
			frames.end = begin + segment->p_memsz;
		if (segment->p_type == PT_GNU_EH_FRAME &&
			is_loaded(info, segment->p_vaddr, segment->p_memsz)) {
			frames.table = begin;
			frames.table_bytes = segment->p_memsz;
		}
	}
	return frames;
}

static int note_counters(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	(void)unused;
	if (bytes >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs)) {
		stock.loads = info->dlpi_adds;
		stock.unloads = info->dlpi_subs;
	}
	return 0;
}

static int visit_file(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	uint64_t self = (uint64_t)(uintptr_t)visit_file;
	struct module seen = { .base = info->dlpi_addr };
	struct plain_segment found = { .bias = info->dlpi_addr, .frames = find_frames(info) };

	note_counters(info, bytes, unused);
	find_path(info, stock.files++ == 0);
	seen.build_id_bytes = (uint8_t)find_build_id(info, seen.build_id, MODULE_BUILD_ID_BYTES);
	seen.kind = module_kind_of_path(stock.path);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && stock.files > 1 &&
			self - begin < segment->p_memsz)
			seen.kind = MODULE_TRYST;
	}
	found.kind = seen.kind;
	found.module = number_of(&seen);
	for (unsigned i = 0; i < info->dlpi_phnum && found.module; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		found.begin = info->dlpi_addr + segment->p_vaddr;
		found.end = found.begin + segment->p_memsz;
		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
			add_segment(&found);
	}
	return 0;
}

/* A reader that sees an odd version, or two versions, reads again. */
static void publish_stock(void)
{
	uint32_t version = atomic_load_explicit(&table.version, memory_order_relaxed);

	atomic_store_explicit(&table.version, version + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	for (unsigned i = 0; i < stock.count; i++) {
		const struct plain_segment *from = &stock.segment[i];
		struct segment *to = &table.segment[i];

		atomic_store_explicit(&to->begin, from->begin, memory_order_relaxed);
		atomic_store_explicit(&to->end, from->end, memory_order_relaxed);
		atomic_store_explicit(&to->bias, from->bias, memory_order_relaxed);
		atomic_store_explicit(&to->module, from->module, memory_order_relaxed);
		atomic_store_explicit(&to->kind, from->kind, memory_order_relaxed);
		atomic_store_explicit(&to->frames.begin, from->frames.begin, memory_order_relaxed);
		atomic_store_explicit(&to->frames.end, from->frames.end, memory_order_relaxed);
		atomic_store_explicit(&to->frames.table, from->frames.table, memory_order_relaxed);
		atomic_store_explicit(
			&to->frames.table_bytes, from->frames.table_bytes, memory_order_relaxed);
	}
	atomic_store_explicit(&table.count, stock.count, memory_order_relaxed);
	atomic_store_explicit(&loads_seen, stock.loads, memory_order_relaxed);
	atomic_store_explicit(&module_unload_count, (uint32_t)stock.unloads, memory_order_relaxed);
	atomic_store_explicit(&table.version, version + 2, memory_order_release);
}

/*
 * With signals blocked. Gives up if the lock stays taken: its owner may wait for the linker's lock,
 * and the program may hold that one while it calls us (from its own dl_iterate_phdr).
 */
static void take_stock(void)
{
	int saved = errno;

	for (int tries = 0; tries < LOCK_TRIES; tries++) {
		if (pthread_mutex_trylock(&lock) == 0) {
			stock.files = 0;
			stock.count = 0;
			dl_iterate_phdr(visit_file, NULL);
			publish_stock();
			pthread_mutex_unlock(&lock);
			break;
		}
		sched_yield();
	}
	errno = saved;
}

struct counters {
	uint64_t loads;
	uint64_t unloads;
};

static int read_counters(struct dl_phdr_info *info, size_t bytes, void *result)
{
	struct counters *counters = result;

	if (bytes >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		*counters = (struct counters){ info->dlpi_adds, info->dlpi_subs };
	return 1;
}

static bool is_known(const struct counters *now)
{
	return now->loads == atomic_load_explicit(&loads_seen, memory_order_relaxed) &&
		(uint32_t)now->unloads == module_unloads();
}

struct hold {
	void (*use)(void *context);
	void *context;
	bool is_done;
};

/*
 * dlclose() takes the lock of dl_iterate_phdr() before it unmaps a library (glibc; musl never
 * unmaps any).
 */
static int hold_first(struct dl_phdr_info *info, size_t bytes, void *result)
{
	struct counters now = { 0, 0 };
	struct hold *hold = result;

	read_counters(info, bytes, &now);
	hold->is_done = is_known(&now);
	if (hold->is_done)
		hold->use(hold->context);
	return 1;
}

bool module_hold(void (*use)(void *context), void *context)
{
	struct hold hold = { use, context, false };
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (int tries = 0; tries < HOLD_TRIES && !hold.is_done; tries++) {
		if (tries > 0)
			take_stock();
		dl_iterate_phdr(hold_first, &hold);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return hold.is_done;
}

/* A handler that jumped out of dl_iterate_phdr() would leave the linker's lock taken for ever. */
uint32_t module_refresh(void)
{
	struct counters now = { 0, 0 };
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	dl_iterate_phdr(read_counters, &now);
	if (!is_known(&now))
		take_stock();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return module_unloads();
}

/* ---- lookups ---- */

/* The last segment that begins at or below `address`; false if the address is behind its end. */
static bool search(uint64_t address, struct plain_segment *found)
{
	uint32_t low = 0, high = atomic_load_explicit(&table.count, memory_order_relaxed);
	const struct segment *segment;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		segment = &table.segment[middle];
		if (atomic_load_explicit(&segment->begin, memory_order_relaxed) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	segment = &table.segment[low - 1];
	found->end = atomic_load_explicit(&segment->end, memory_order_relaxed);
	found->bias = atomic_load_explicit(&segment->bias, memory_order_relaxed);
	found->module = atomic_load_explicit(&segment->module, memory_order_relaxed);
	found->kind = atomic_load_explicit(&segment->kind, memory_order_relaxed);
	found->frames.begin = atomic_load_explicit(&segment->frames.begin, memory_order_relaxed);
	found->frames.end = atomic_load_explicit(&segment->frames.end, memory_order_relaxed);
	found->frames.table = atomic_load_explicit(&segment->frames.table, memory_order_relaxed);
	found->frames.table_bytes =
		atomic_load_explicit(&segment->frames.table_bytes, memory_order_relaxed);
	return address < found->end;
}

/* One lookup in a table that does not change meanwhile; `version` gets the table's version. */
static bool look_up(uint64_t address, struct plain_segment *found, uint32_t *version)
{
	for (;;) {
		bool is_found;

		*version = atomic_load_explicit(&table.version, memory_order_acquire);
		if (*version & 1) {
			sched_yield();
			continue;
		}
		is_found = search(address, found);
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&table.version, memory_order_relaxed) == *version)
			return is_found;
	}
}

static bool segment_find(uint64_t address, struct plain_segment *found, uint32_t *version)
{
	uint32_t first;

	if (look_up(address, found, version))
		return true;
	first = *version;
	module_refresh();
	if (atomic_load_explicit(&table.version, memory_order_relaxed) == first)
		return false;
	return look_up(address, found, version);
}

static __attribute__((noinline)) enum module_kind find_kind(uint64_t address)
{
	struct plain_segment found;
	uint64_t page = address >> PAGE_SHIFT;
	uint32_t version;

	if (!segment_find(address, &found, &version))
		return MODULE_PROGRAM; /* not kept: a library may be loaded there */
	if (near.version != version) {
		memset(near.page, 0, sizeof(near.page));
		atomic_signal_fence(memory_order_seq_cst);
		near.version = version;
	}
	near.page[page % NEAR_PAGES] = page << 2 | found.kind;
	return found.kind;
}

enum module_kind module_kind(const void *address)
{
	uint64_t page = (uint64_t)(uintptr_t)address >> PAGE_SHIFT;
	uint64_t known = near.page[page % NEAR_PAGES];

	uint32_t version = atomic_load_explicit(&table.version, memory_order_relaxed);

	if (__builtin_expect(known >> 2 == page && near.version == version, 1))
		return (enum module_kind)(known & 3);
	return find_kind((uint64_t)(uintptr_t)address);
}

struct module_address module_resolve(const void *address)
{
	struct module_address result = { 0, MODULE_PROGRAM, (uint64_t)(uintptr_t)address };
	struct plain_segment found;
	uint32_t version;

	if (segment_find(result.offset, &found, &version)) {
		result.module = found.module;
		result.kind = (enum module_kind)found.kind;
		result.offset -= found.bias;
	}
	return result;
}

_Bool module_find_frames(const void *address, struct module_frames *frames)
{
	struct plain_segment found;
	uint32_t version;

	if (!segment_find((uint64_t)(uintptr_t)address, &found, &version) || !found.frames.table)
		return false;
	*frames = found.frames;
	return true;
}

const struct module *module_get(uint32_t number)
{
	uint32_t count = atomic_load_explicit(&module_count, memory_order_acquire);

	return number >= 1 && number <= count ? &modules[number - 1] : NULL;
}
