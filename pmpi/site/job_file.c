/* SPDX-License-Identifier: BSD-3-Clause */
/* job_file.c: makes the one file of a job in site mode, and replaces it (job_file.h). */
#include "config.h"
#include "pmpi/site/job_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/base/now.h"
#include "analysis/format/run/run_dir.h"

enum { RECORD_MODE = 0640, BEGIN_WIDTH = 20 };

/* ---- making the file ---- */

static void read_program(char *name, size_t size)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *last;

	path[n > 0 ? n : 0] = '\0';
	last = strrchr(path, '/');
	snprintf(name, size, "%.*s", (int)size - 1, last ? last + 1 : path);
}

static void read_time(char text[32], struct tm *utc)
{
	time_t now = time(NULL);

	gmtime_r(&now, utc);
	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", utc);
}

/*
 * Makes the empty file. Only O_EXCL promises that it is new, and no link to a file elsewhere. The
 * mode gives the group of a setgid directory its reading, whatever the umask.
 */
static int make_file(int dir, const char *name)
{
	int fd = file_open_mode(dir, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, RECORD_MODE);

	if (fd >= 0)
		fchmod(fd, RECORD_MODE);
	return fd >= 0 ? fd : -errno;
}

static int open_dir(const struct site_record *r)
{
	int dir = file_open(AT_FDCWD, r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return dir >= 0 ? dir : -errno;
}

/* One try a name: thousands of processes may start with the same one. */
static int make_named(struct site_record *r, const char *own)
{
	int dir = open_dir(r), fd;

	if (dir < 0)
		return dir;
	snprintf(r->name, sizeof(r->name), "%s.json", r->job[0] ? r->job : own);
	fd = make_file(dir, r->name);
	if (fd == -EEXIST && r->job[0]) {
		snprintf(r->name, sizeof(r->name), "%.100s.%.140s.json", r->job, own);
		fd = make_file(dir, r->name);
	}
	close(dir);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

int site_record_make(struct site_record *r, const char *dir)
{
	char here[sizeof(r->dir)] = "", own[200], time_text[32];
	struct tm utc;
	int rc;

	r->process = getpid();
	read_program(r->program, sizeof(r->program));
	gethostname(r->host, sizeof(r->host) - 1);
	read_time(r->start, &utc);
	strftime(time_text, sizeof(time_text), "%Y%m%dT%H%M%SZ", &utc);
	if (!run_batch_name(r->job, sizeof(r->job)))
		r->job[0] = '\0';
	snprintf(own, sizeof(own), "%.100s-%d-%s", r->host, (int)r->process, time_text);
	/* the program may change its directory */
	if (dir[0] != '/' && !getcwd(here, sizeof(here)))
		return -errno;
	rc = snprintf(r->dir, sizeof(r->dir), "%s%s%s", here, here[0] ? "/" : "", dir);
	rc = rc < (int)sizeof(r->dir) ? make_named(r, own) : -ENAMETOOLONG;
	if (rc)
		r->name[0] = '\0';
	return rc;
}

/* ---- writing it ---- */

struct out {
	int fd;
	int error;
	size_t used;
	char text[4096];
};

static void out_flush(struct out *out)
{
	if (out->error == 0)
		out->error = file_write(out->fd, out->text, out->used);
	out->used = 0;
}

/* Of at most 1000 bytes. */
static __attribute__((format(printf, 2, 3))) void out_add(struct out *out, const char *format, ...)
{
	va_list arguments;

	if (out->used + 1000 > sizeof(out->text))
		out_flush(out);
	va_start(arguments, format);
	out->used += (size_t)vsnprintf(out->text + out->used, 1000, format, arguments);
	va_end(arguments);
}

/* Names are data: what JSON would have to escape, and what is not ASCII, becomes '_', a tab ' '. */
static void out_name(struct out *out, const char *key, const char *name)
{
	char plain[256];
	size_t n;

	for (n = 0; name[n] && n + 1 < sizeof(plain); n++)
		plain[n] = name[n] == '\t'                                        ? ' ' :
			name[n] < ' ' || name[n] > '~' || strchr("\"\\", name[n]) ? '_' :
										    name[n];
	plain[n] = '\0';
	if (n)
		out_add(out, "  \"%s\": \"%s\",\n", key, plain);
	else
		out_add(out, "  \"%s\": null,\n", key);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

void site_record_call_text(char text[SITE_CALL_WIDTH + 1], unsigned fn)
{
	char value[SITE_CALL_WIDTH + 1] = "null,";

	if (fn)
		snprintf(value, sizeof(value), "\"%s\",", function_name(fn));
	snprintf(text, SITE_CALL_WIDTH + 1, "%-*s", SITE_CALL_WIDTH, value);
}

/* Of fixed width. Nothing is flushed before: all names together are far shorter than out.text. */
static void out_in_call(struct out *out, struct site_record *r)
{
	char call[SITE_CALL_WIDTH + 1], begin[BEGIN_WIDTH + 1] = "null";

	site_record_call_text(call, r->in_call);
	if (r->in_call)
		snprintf(begin, sizeof(begin), "%" PRIu64, r->in_call_begin_ns);
	out_add(out, "  \"in_call\": ");
	r->call_at = out->used;
	out_add(out, "%s\n  \"in_call_begin_ns\": ", call);
	r->begin_at = out->used;
	out_add(out, "%*s,\n", BEGIN_WIDTH, begin);
}

static void out_job(
	struct out *out, struct site_record *r, enum site_state state, const struct site_sum *sums)
{
	static const char *const states[] = { "running", "finalized", "aborted" };
	char written[32];
	struct tm utc;

	out_add(out, "{\n  \"schema\": {\"name\": \"tryst-site\", \"version\": 1},\n");
	out_name(out, "job", r->job);
	out_name(out, "program", r->program);
	out_name(out, "host", r->host);
	out_name(out, "mpi_library", r->mpi_library);
	out_name(out, "start", r->start);
	read_time(written, &utc);
	out_name(out, "written", written);
	out_name(out, "state", states[state]);
	out_in_call(out, r);
	out_add(out, "  \"ranks\": %d,\n  \"ranks_counted\": %" PRIu64 ",\n", r->nranks,
		sums[SITE_RUN].count);
	if (sums[SITE_HOSTS].count && sums[SITE_RUN].count == (uint64_t)r->nranks)
		out_add(out, "  \"hosts\": %" PRIu64 ",\n", sums[SITE_HOSTS].count);
	else
		out_add(out, "  \"hosts\": null,\n");
}

/*
 * Imbalance: of the longest computation, the part that the mean rank does not have. If threads of a
 * rank were in MPI at once, the sum of their times is no part of its run time.
 */
static void out_times(struct out *out, int nranks, const struct site_sum *sums)
{
	const struct site_sum *run = &sums[SITE_RUN], *mpi = &sums[SITE_IN_MPI],
			      *outside = &sums[SITE_OUTSIDE], *own = &sums[SITE_TRYST];
	double mean = run->count ? (double)outside->time / (double)run->count : 0;

	out_add(out, "  \"run_ns\": %" PRIu64 ",\n", run->max);
	if (mpi->count) {
		out_add(out,
			"  \"mpi_ns\": null,\n  \"mpi_pct\": null,\n  \"mpi_max_ns\": null,\n"
			"  \"mpi_max_rank\": null,\n");
	} else {
		out_add(out, "  \"mpi_ns\": %" PRIu64 ",\n  \"mpi_pct\": %.2f,\n", mpi->time,
			percent((double)mpi->time, (double)run->time));
		out_add(out, "  \"mpi_max_ns\": %" PRIu64 ",\n  \"mpi_max_rank\": %" PRIu64 ",\n",
			mpi->max, mpi->max_rank);
	}
	if (mpi->count || run->count != (uint64_t)nranks)
		out_add(out, "  \"load_imbalance_pct\": null,\n  \"slowest_rank\": null,\n");
	else
		out_add(out, "  \"load_imbalance_pct\": %.2f,\n  \"slowest_rank\": %" PRIu64 ",\n",
			percent((double)outside->max - mean, (double)outside->max),
			outside->max_rank);
	if (sums[SITE_NO_CPU].count == run->count)
		out_add(out, "  \"no_cpu_ns\": %" PRIu64 ",\n  \"no_cpu_pct\": %.2f,\n",
			sums[SITE_NO_CPU].time,
			percent((double)sums[SITE_NO_CPU].time, (double)run->time));
	else
		out_add(out, "  \"no_cpu_ns\": null,\n  \"no_cpu_pct\": null,\n");
	out_add(out,
		"  \"tryst\": {\"version\": \"%s\", \"time_ns\": %" PRIu64 ", \"pct\": %.4f},\n",
		PACKAGE_VERSION, own->time, percent((double)own->time, (double)run->time));
}

static void out_calls(struct out *out, const struct site_record *r, const struct site_sum *sums)
{
	const char *separator = "\n";

	out_add(out, "  \"calls\": [");
	for (unsigned fn = FN_NONE + 1; fn < FN_COUNT; fn++) {
		const struct site_sum *s = &sums[fn];

		if (!s->count)
			continue;
		out_add(out,
			"%s    {\"call\": \"%s\", \"count\": %" PRIu64 ", \"bytes\": ", separator,
			function_name(fn), s->count);
		if (r->has_bytes[fn])
			out_add(out, "%" PRIu64, s->bytes);
		else
			out_add(out, "null");
		out_add(out,
			", \"time_ns\": %" PRIu64 ", \"max_ns\": %" PRIu64
			", \"max_rank\": %" PRIu64 "}",
			s->time, s->max, s->max_rank);
		separator = ",\n";
	}
	out_add(out, "\n  ],\n");
}

static void out_messages(struct out *out, const struct site_sum *sums)
{
	const char *separator = "\n";

	out_add(out, "  \"messages\": [");
	for (unsigned i = 0; i < SITE_SIZES; i++) {
		const struct site_sum *s = &sums[SITE_MESSAGE + i];

		if (!s->count)
			continue;
		out_add(out,
			"%s    {\"from_bytes\": %" PRIu64 ", \"to_bytes\": %" PRIu64
			", \"count\": %" PRIu64 ", \"bytes\": %" PRIu64 "}",
			separator, i ? (uint64_t)1 << (i - 1) : 0, ((uint64_t)1 << i) - 1, s->count,
			s->bytes);
		separator = ",\n";
	}
	out_add(out, "\n  ]\n}\n");
}

static int write_all(
	int fd, struct site_record *r, enum site_state state, const struct site_sum *sums)
{
	struct out out = { .fd = fd };

	out_job(&out, r, state, sums);
	out_times(&out, r->nranks, sums);
	out_calls(&out, r, sums);
	out_messages(&out, sums);
	out_flush(&out);
	return out.error;
}

/* The file that will replace the record. Others may have put something there that stays. */
static int make_temporary(int dir, const char *record, char *name, size_t size)
{
	int fd;

	snprintf(name, size, ".%s.new", record);
	unlinkat(dir, name, 0); /* left by a write that was killed */
	fd = make_file(dir, name);
	if (fd == -EEXIST) {
		snprintf(name, size, ".%s.new-%08lx", record,
			(unsigned long)now_ns(CLOCK_MONOTONIC) & 0xffffffff);
		fd = make_file(dir, name);
	}
	return fd;
}

/* ---- what is stored in place ---- */

/*
 * Where a store to a page of data that is written cannot fail for want of space. It would end the
 * job (SIGBUS) where each write needs new blocks.
 */
static bool stores_in_place(int fd)
{
	static const unsigned long kinds[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, TMPFS_MAGIC,
		NFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC };
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if ((unsigned long)fs.f_type == kinds[i])
			return true;
	return false;
}

/*
 * The page always has the same address, and is never unmapped: other threads may store to it. Those
 * of a file that is no longer the record (fd -1) go to no file.
 */
static void map_page(struct site_record *r, int fd)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page;

	r->shows = false;
	if (fd >= 0 ? !stores_in_place(fd) : !r->page)
		return;
	page = mmap(r->page, bytes, PROT_READ | PROT_WRITE,
		(fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | (r->page ? MAP_FIXED : 0), fd,
		0);
	if (page == MAP_FAILED)
		return;
	r->page = page;
	r->shows = fd >= 0;
}

void site_record_show_begin(const struct site_record *r, uint64_t in_call_begin_ns)
{
	char text[BEGIN_WIDTH];
	int i = BEGIN_WIDTH;

	memset(text, ' ', sizeof(text));
	do
		text[--i] = (char)('0' + in_call_begin_ns % 10);
	while ((in_call_begin_ns /= 10) && i > 0);
	memcpy(r->page + r->begin_at, text, sizeof(text));
}

/* ---- replacing it ---- */

/*
 * File systems write a file to the disk at once if it replaces another one (ext4: 1 to 5 ms), so
 * that one of them survives a crash of the host. While the job runs, an exchange of names avoids
 * this. A file that goes is unmapped before: NFS would keep it.
 */
static int replace(struct site_record *r, int dir, int fd, const char *from, enum site_state state)
{
	if (state == SITE_RUNNING && renameat2(dir, from, dir, r->name, RENAME_EXCHANGE) == 0) {
		map_page(r, fd);
		return unlinkat(dir, from, 0) == 0 ? 0 : -errno;
	}
	map_page(r, -1);
	if (renameat(dir, from, dir, r->name) != 0)
		return -errno;
	if (state == SITE_RUNNING)
		map_page(r, fd);
	return 0;
}

void site_record_drop(struct site_record *r)
{
	int dir = r->name[0] ? open_dir(r) : -1;

	if (dir >= 0) {
		unlinkat(dir, r->name, 0);
		close(dir);
	}
	r->name[0] = '\0';
}

int site_record_write(
	struct site_record *r, enum site_state state, const struct site_sum sums[SITE_SUMS])
{
	char temporary[sizeof(r->name) + 32];
	int dir, fd, rc;

	if (!r->name[0] || getpid() != r->process)
		return 0;
	dir = open_dir(r);
	if (dir < 0)
		return dir;
	fd = make_temporary(dir, r->name, temporary, sizeof(temporary));
	rc = fd < 0 ? fd : write_all(fd, r, state, sums);
	/* NFS tells of a full disk when a descriptor of the file is closed */
	if (rc == 0 && close(dup(fd)) != 0)
		rc = -errno;
	if (rc == 0)
		rc = replace(r, dir, fd, temporary, state);
	if (fd >= 0)
		close(fd);
	if (rc && fd >= 0)
		unlinkat(dir, temporary, 0);
	close(dir);
	return rc;
}
