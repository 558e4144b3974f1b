/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults.c: a library to preload that makes the system fail tryst, and nobody else.
 *
 *	FAULT=write:5:ENOSPC		the 5th write() of tryst's fails
 *	FAULT=write:5+:ENOSPC		so do all behind it
 *	FAULT=write:5:short		it writes half
 *	FAULT=change:5+:EROFS		the 5th call that changes a file, or opens one for that, and
 *					all behind it
 *	FAULT=clock:5:-2000		clocks go back by 2000 ms at the 5th reading, and stay there
 *	FAULT=write:5:signal		SIGUSR1 comes to a handler that does nothing, and the call
 *					fails with EINTR; where signals are held back it comes
 *					later, and interrupts nothing
 *	FAULT=write:5:SIGTERM		SIGTERM comes, or SIGINT or SIGHUP; the call goes on
 *	FAULT_FILE=NAME			it is reads of files that end so
 *	FAULT_LOG=FILE			gets a line for each fault, so that a test knows it came
 *
 * Whose call it is, is told by the return address: files whose names contain "tryst" or "sqlite".
 * What libc calls by itself for tryst (stdio, dlopen) never fails.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum effect { EFFECT_ERROR, EFFECT_SHORT, EFFECT_SIGNAL, EFFECT_ENDING };

static struct {
	bool known;
	char call[24];
	unsigned long at; /* which call; 0: none */
	bool all;         /* and all behind it */
	enum effect effect;
	int error;
	int signal;   /* EFFECT_ENDING */
	long long ns; /* of clocks */
	char log[1024];
	const char *file; /* "": any */
	unsigned long seen;
} fault;

static const struct {
	const char *name;
	int error;
} errors[] = { { "ENOSPC", ENOSPC }, { "EIO", EIO }, { "ENOMEM", ENOMEM }, { "EACCES", EACCES },
	{ "EAGAIN", EAGAIN }, { "EMFILE", EMFILE }, { "EROFS", EROFS }, { "EINTR", EINTR },
	{ "EDQUOT", EDQUOT }, { "EBUSY", EBUSY }, { "ENOLCK", ENOLCK }, { "ESTALE", ESTALE },
	{ "EOPNOTSUPP", EOPNOTSUPP }, { "EINVAL", EINVAL } };

static const struct {
	const char *name;
	int number;
} endings[] = { { "SIGINT", SIGINT }, { "SIGTERM", SIGTERM }, { "SIGHUP", SIGHUP } };

static void nothing(int signal)
{
	(void)signal;
}

/* "call:N[+][:what]" */
static void read_variable(void)
{
	const char *text = getenv("FAULT"), *log = getenv("FAULT_LOG"), *colon;
	char *end;

	fault.known = true;
	fault.file = getenv("FAULT_FILE") ? getenv("FAULT_FILE") : "";
	colon = text ? strchr(text, ':') : NULL;
	if (!colon || colon - text >= (long)sizeof(fault.call))
		return;
	memcpy(fault.call, text, (size_t)(colon - text));
	fault.error = ENOMEM;
	fault.at = strtoul(colon + 1, &end, 10);
	fault.all = *end == '+';
	colon = strchr(end, ':');
	if (log && strlen(log) < sizeof(fault.log))
		strcpy(fault.log, log);
	if (!colon)
		return;
	if (strcmp(colon + 1, "short") == 0)
		fault.effect = EFFECT_SHORT;
	else if (strcmp(colon + 1, "signal") == 0)
		fault.effect = EFFECT_SIGNAL;
	else if (strcmp(fault.call, "clock") == 0)
		fault.ns = strtoll(colon + 1, NULL, 10) * 1000000;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(colon + 1, endings[i].name) == 0) {
			fault.effect = EFFECT_ENDING;
			fault.signal = endings[i].number;
		}
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(colon + 1, errors[i].name) == 0)
			fault.error = errors[i].error;
}

static bool is_trysts(const void *return_address)
{
	const char *name;
	Dl_info info;

	if (!dladdr(return_address, &info) || !info.dli_fname)
		return false;
	name = strrchr(info.dli_fname, '/');
	name = name ? name + 1 : info.dli_fname;
	return strstr(name, "tryst") || strstr(name, "sqlite");
}

/* By system calls alone: nothing here may be interposed. */
static void note(void)
{
	int saved = errno;
	long fd;

	if (fault.log[0]) {
		fd = syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_CREAT | O_APPEND, 0666);
		if (fd >= 0) {
			syscall(SYS_write, fd, "fault\n", 6);
			syscall(SYS_close, fd);
		}
	}
	errno = saved;
}

/* "change" is each of these; opening for writing is also "open". */
static bool is_meant(const char *call)
{
	static const char *const changes[] = { "open to write", "write", "ftruncate", "fallocate",
		"rename", "renameat2", "unlink", "mkdir" };

	if (strcmp(fault.call, "change") == 0)
		for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
			if (strcmp(call, changes[i]) == 0)
				return true;
	return strcmp(strcmp(call, changes[0]) == 0 ? "open" : call, fault.call) == 0;
}

/* Does this call fail? The callers say who called them. */
static bool fails(const char *call, const void *return_address)
{
	unsigned long n;

	if (!fault.known)
		read_variable();
	if (!fault.at || !is_meant(call) || !is_trysts(return_address))
		return false;
	n = __atomic_add_fetch(&fault.seen, 1, __ATOMIC_RELAXED);
	if (n != fault.at && !(fault.all && n > fault.at))
		return false;
	note();
	if (fault.effect == EFFECT_ENDING) {
		raise(fault.signal);
		return false;
	}
	if (fault.effect == EFFECT_SIGNAL) {
		struct sigaction now = { .sa_handler = nothing }, before;
		sigset_t pending;

		sigaction(SIGUSR1, &now, &before);
		raise(SIGUSR1);
		sigpending(&pending);
		if (sigismember(&pending, SIGUSR1))
			return false;
		sigaction(SIGUSR1, &before, NULL);
		fault.error = EINTR;
	}
	errno = fault.error;
	return true;
}

static bool is_of(int fd)
{
	char link[64], path[4096];
	size_t length;
	long n;

	if (!fault.known)
		read_variable();
	if (!*fault.file)
		return true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof(path));
	length = strlen(fault.file);
	return n >= (long)length && memcmp(path + n - length, fault.file, length) == 0;
}

#define REAL(name)                                                                                 \
	static __typeof__(name) *real;                                                             \
	if (!real)                                                                                 \
	real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAILS(call) __builtin_expect(fails(call, __builtin_return_address(0)), 0)
#define OPENING(flags) ((flags) & (O_ACCMODE | O_CREAT) ? "open to write" : "open")
#define IS_SHORT (fault.effect == EFFECT_SHORT)

/* ---- memory; dlsym() itself wants some ---- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
	return FAILS("malloc") ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return FAILS("malloc") ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return FAILS("malloc") ? NULL : __libc_realloc(old, bytes);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	if (FAILS("mmap"))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, offset);
}

void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

/* ---- files ---- */

static mode_t mode_of(int flags, va_list arguments)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = mode_of(flags, arguments);
	va_end(arguments);
	if (FAILS(OPENING(flags)))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *, int, ...) __attribute__((alias("open")));

int openat(int dir, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = mode_of(flags, arguments);
	va_end(arguments);
	if (FAILS(OPENING(flags)))
		return -1;
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}

int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

ssize_t write(int fd, const void *data, size_t bytes)
{
	if (FAILS("write")) {
		if (!IS_SHORT)
			return -1;
		bytes /= 2;
	}
	return syscall(SYS_write, fd, data, bytes);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
	if (FAILS("write")) {
		if (!IS_SHORT)
			return -1;
		bytes /= 2;
	}
	return syscall(SYS_pwrite64, fd, data, bytes, offset);
}

ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

ssize_t read(int fd, void *data, size_t bytes)
{
	if (is_of(fd) && FAILS("read")) {
		if (!IS_SHORT)
			return -1;
		bytes /= 2;
	}
	return syscall(SYS_read, fd, data, bytes);
}

ssize_t pread(int fd, void *data, size_t bytes, off_t offset)
{
	if (is_of(fd) && FAILS("read")) {
		if (!IS_SHORT)
			return -1;
		bytes /= 2;
	}
	return syscall(SYS_pread64, fd, data, bytes, offset);
}

ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));

int ftruncate(int fd, off_t bytes)
{
	return FAILS("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, fd, bytes);
}

int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
	return FAILS("fallocate") ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
}

int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));

int posix_fallocate(int fd, off_t offset, off_t bytes)
{
	REAL(posix_fallocate);
	return FAILS("fallocate") ? fault.error : real(fd, offset, bytes);
}

int posix_fallocate64(int, off_t, off_t) __attribute__((alias("posix_fallocate")));

int fsync(int fd)
{
	return FAILS("sync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return FAILS("sync") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int msync(void *at, size_t bytes, int flags)
{
	return FAILS("sync") ? -1 : (int)syscall(SYS_msync, at, bytes, flags);
}

int fstat(int fd, struct stat *st)
{
	REAL(fstat);
	return FAILS("stat") ? -1 : real(fd, st);
}

int rename(const char *from, const char *to)
{
	REAL(rename);
	return FAILS("rename") ? -1 : real(from, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	if (FAILS("renameat2"))
		return -1;
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

int unlink(const char *path)
{
	REAL(unlink);
	return FAILS("unlink") ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode)
{
	REAL(mkdir);
	return FAILS("mkdir") ? -1 : real(path, mode);
}

DIR *opendir(const char *path)
{
	REAL(opendir);
	return FAILS("open") ? NULL : real(path);
}

/* Locks alone: what SQLite asks for. */
int fcntl(int fd, int command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if ((command == F_SETLK || command == F_SETLKW || command == F_GETLK) && FAILS("lock"))
		return -1;
	return (int)syscall(SYS_fcntl, fd, command, argument);
}

int fcntl64(int, int, ...) __attribute__((alias("fcntl")));

/* ---- time ---- */

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static bool is_back;
	long long ns;
	int rc = (int)syscall(SYS_clock_gettime, clock, now);

	if (FAILS("clock"))
		is_back = true;
	if (rc == 0 && is_back) {
		ns = (long long)now->tv_sec * 1000000000 + now->tv_nsec + fault.ns;
		now->tv_sec = ns / 1000000000;
		now->tv_nsec = ns % 1000000000;
	}
	return rc;
}
