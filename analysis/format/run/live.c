/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live.c: reads of a ring what has changed.
 *
 *	head of the file        state, regions
 *	each thread's region    up to `head`: the call that it is in, and the ring's records
 *	tables of sums          if a thread has called something: compared with the last look's
 *	pending operations      only while a thread is held in a call that waits for some
 *
 * Work of a look: what each thread has recorded since the last one, 64 KiB at most, and its
 * tables. A region may lie anywhere in the file, also on another one: each thread, and each table,
 * is read once, and in all no more than the limits below.
 *
 * A brief look at a rank of this host costs one system call, for CPU time. Other looks ask whether
 * the path still names the mapped file, and read /proc. The mapping keeps the file's inode, so no
 * other file can have the same number. If a file or process cannot be kept, each look opens it.
 */
#include <config.h>

#include "analysis/format/run/live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/array.h"
#include "analysis/base/file.h"
#include "analysis/format/run/proc.h"
#include "analysis/format/run/process.h"
#include "analysis/format/run/run_dir.h"

enum {
	SUMS_MOST = 1 << 16,    /* of a rank */
	PENDING_MOST = 1 << 14, /* of a rank, in a look */
	PIECE = 1 << 16,        /* of a table, read at once [bytes] */
	SPARE_FILES = 64        /* descriptors that no process may have */
};

/* A sum that is in use, and its place among all entries of the file's tables. */
struct live_sum {
	uint32_t place;
	struct call_sum sum;
};

struct live_buffers {
	int ends;         /* epoll of the processes that are kept; -1: none are */
	rlim_t processes; /* their descriptors are below this number */
	struct ring_file header;
	_Alignas(64) struct thread_region thread;
	_Alignas(8) uint8_t piece[PIECE];
	struct live_sum sums[SUMS_MOST];
};

/* Raises the limit of descriptors, since each process takes one. */
static rlim_t room_for_processes(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return 0;
	if (files.rlim_cur < files.rlim_max) {
		struct rlimit more = { files.rlim_max, files.rlim_max };

		if (setrlimit(RLIMIT_NOFILE, &more) == 0)
			files = more;
	}
	return files.rlim_cur > SPARE_FILES ? files.rlim_cur - SPARE_FILES : 0;
}

struct live_buffers *live_buffers_new(void)
{
	struct live_buffers *b = aligned_alloc(64, (sizeof(struct live_buffers) + 63) / 64 * 64);

	if (!b)
		return NULL;
	b->ends = epoll_create1(EPOLL_CLOEXEC);
	b->processes = room_for_processes();
	return b;
}

void live_buffers_free(struct live_buffers *b)
{
	if (b && b->ends >= 0)
		close(b->ends);
	free(b);
}

void live_see_ends(struct live_buffers *b)
{
	struct epoll_event ended[64];
	int n;

	/* each end comes once */
	do {
		n = b->ends < 0 ? 0 : epoll_wait(b->ends, ended, 64, 0);
		for (int i = 0; i < n; i++)
			((struct live *)ended[i].data.ptr)->has_ended = true;
	} while (n > 0);
}

/* A ring, while it is looked at. */
struct look {
	struct live *l;
	struct live_buffers *b;
	const struct live_visitor *visitor;
	struct ring_source from;
	uint64_t file_bytes;
	uint32_t nsums;
	uint32_t places; /* entries of the tables so far, used or not */
	bool quiet;      /* no thread has called anything since the last look */
	uint64_t bad;    /* records; the report tells of them */
};

/* Anyone may give a file any time: it is cut to those that nanoseconds can tell. */
static int64_t modified(const struct stat *st)
{
	const int64_t most = INT64_MAX / 1000000000 - 1;
	const int64_t seconds = st->st_mtim.tv_sec;

	return (seconds < 0                   ? 0 :
			       seconds < most ? seconds :
						most) *
		1000000000 +
		st->st_mtim.tv_nsec;
}

static int open_file(const struct live *l, const char *suffix, struct stat *st)
{
	char path[PATH_MAX];
	int fd;

	if (run_rank_path(l->dir, l->rank, suffix, path, sizeof(path)) != 0)
		return -ENAMETOOLONG;
	fd = file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, st);
	return fd < 0 ? -errno : fd;
}

/* A mapped file gets its time late; the spool gets it by each write. */
static void look_at_spool(struct live *l)
{
	struct stat st;
	int fd = open_file(l, "spool", &st);

	if (fd < 0)
		return;
	if (modified(&st) > l->modified_ns)
		l->modified_ns = modified(&st);
	close(fd);
}

/* What was known belongs to another process. */
static void forget(struct live *l)
{
	l->nthreads = 0;
	l->nbefore = l->places = 0;
	l->defined = 0;
	l->undefinable = false;
	l->settled = false;
	l->sums = (struct live_sums){ 0 };
	l->fresh = true;
}

static void drop_process(struct live *l)
{
	if (l->process > 0)
		close(l->process - 1);
	l->process = 0;
	l->has_ended = false;
}

static void drop_map(struct live *l)
{
	struct ring_source map = { -1, l->map, l->map_bytes };

	ring_source_unmap(&map);
	l->map = NULL;
}

/* The head of the ring, into b->header. A state: LIVE_RUNS if it is a ring of ours. */
static enum live_state read_header(struct look *k)
{
	struct ring_file *h = &k->b->header;
	const size_t front = offsetof(struct ring_file, regions);
	ssize_t n = ring_source_read(&k->from, h, front, 0), regions;

	/* a mapped file that was cut since it was asked for has an error */
	if ((n < 0 && k->from.map) || (n >= 0 && ((size_t)n < front || h->magic == 0)))
		return LIVE_NOTHING;
	if (n < 0 || h->magic != RING_MAGIC || h->version != RECORD_VERSION)
		return LIVE_UNREADABLE;
	h->boot_id[sizeof(h->boot_id) - 1] = 0;
	h->host[sizeof(h->host) - 1] = 0;
	if (h->nregions > RING_REGIONS_MAX)
		h->nregions = RING_REGIONS_MAX;
	/* their number moves last */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	regions = (ssize_t)(h->nregions * sizeof(h->regions[0]));
	if (ring_source_read(&k->from, h->regions, (size_t)regions, front) != regions)
		return LIVE_NOTHING;
	return LIVE_RUNS;
}

/* -1: the process is gone */
static int64_t cpu_time(clockid_t clock)
{
	struct timespec used;

	if (clock_gettime(clock, &used) != 0)
		return -1;
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static bool read_stat(const struct live *l, struct proc_stat *stat)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)l->pid);
	return file_text(path, text, sizeof(text)) && proc_stat_read(text, stat) &&
		stat->start_time == l->start_time;
}

char live_process_state(const struct live *l)
{
	struct proc_stat stat;

	return read_stat(l, &stat) ? stat.state : '?';
}

/* CPU time by the kernel's clock of the process; time without a CPU by /proc. */
static void look_at_cpu(struct live *l)
{
	const bool known = l->process > 0 && !l->fresh && l->cpu_ns >= 0;
	struct proc_stat stat;
	struct proc_cpu cpu;

	l->looked_briefly = known && l->briefly;
	if (!known)
		l->cpu_ns = l->no_cpu_ns = -1;
	/* a process that is kept is no other one of the same number */
	if (!known &&
		((l->process == 0 && !read_stat(l, &stat)) ||
			clock_getcpuclockid((pid_t)l->pid, &l->cpu_clock) != 0))
		return;
	l->cpu_ns = cpu_time(l->cpu_clock);
	if (!l->looked_briefly)
		l->no_cpu_ns = proc_cpu_of_process((pid_t)l->pid, &cpu) ? cpu.waited_ns : -1;
}

/* Is it the process that the last look saw? */
static bool same_process(const struct live *l, const struct ring_file *h)
{
	return h->run_id == l->run_id && h->pid == l->pid && h->start_time == l->start_time;
}

/* From now on, live_see_ends() tells when it ends. */
static void keep_process(struct look *k)
{
	struct epoll_event end = { .events = EPOLLIN | EPOLLONESHOT, .data.ptr = k->l };
	int fd = k->b->ends < 0 ? -1 : process_open(&k->b->header);

	if (fd < 0)
		return;
	if ((rlim_t)fd >= k->b->processes || epoll_ctl(k->b->ends, EPOLL_CTL_ADD, fd, &end) != 0) {
		close(fd);
		return;
	}
	k->l->process = fd + 1;
}

/* Asks for the process first, then reads the head: a dead process does not write any more. */
static enum live_state look_at_process(struct look *k)
{
	struct live *l = k->l;
	struct ring_file *h = &k->b->header;
	enum live_state state = read_header(k);
	enum process_state process;

	if (state != LIVE_RUNS)
		return state;
	if (l->process > 0 && same_process(l, h)) {
		process = l->has_ended ? PROCESS_DEAD : PROCESS_ALIVE;
	} else {
		drop_process(l);
		process = process_look(h);
		state = read_header(k);
		if (state != LIVE_RUNS)
			return state;
		if (process == PROCESS_ALIVE)
			keep_process(k);
	}
	/* a new run's file may have the inode of a removed one */
	if (!same_process(l, h))
		forget(l);
	l->elsewhere = process == PROCESS_ELSEWHERE;
	l->run_id = h->run_id;
	l->pid = h->pid;
	l->start_time = h->start_time;
	if (process == PROCESS_ALIVE)
		look_at_cpu(l);
	else
		l->cpu_ns = l->no_cpu_ns = -1;
	memcpy(l->host, h->host, sizeof(l->host));
	l->zero_ticks = h->zero_ticks;
	l->exit_ticks = h->exit_ticks;
	l->functions_hash = h->functions_hash;
	l->ns_per_tick = h->ns_per_tick > 0 && h->ns_per_tick < 1e6 ? h->ns_per_tick : 1;
	if (h->state == RING_CLOSED)
		return LIVE_CLOSED;
	if (process == PROCESS_DEAD)
		return LIVE_DEAD;
	return h->state == RING_STOPPED ? LIVE_STOPPED : LIVE_RUNS;
}

/* Its place among the threads, kept from look to look. NULL: no memory. */
static struct live_thread *thread_of(struct live *l, uint32_t thread)
{
	for (uint32_t i = 0; i < l->nthreads; i++)
		if (l->threads[i].thread == thread)
			return &l->threads[i];
	if (array_room(&l->threads, sizeof(*l->threads), &l->room, l->nthreads) != 0)
		return NULL;
	l->threads[l->nthreads] = (struct live_thread){ .thread = thread, .turned = true };
	return &l->threads[l->nthreads++];
}

/* A thread's region without its ring, to see whether that has changed. */
static bool read_front(const struct look *k, const struct ring_region *r)
{
	const size_t bytes = offsetof(struct thread_region, chunk);

	return ring_source_read(&k->from, &k->b->thread, bytes, r->offset) == (ssize_t)bytes;
}

static bool same_call(const struct current_call *a, const struct current_call *b)
{
	return a->call && a->call == b->call && a->callsite == b->callsite &&
		a->enter_ticks == b->enter_ticks;
}

/* Has nothing been recorded since the last look? */
static bool read_all(const struct live_thread *t, const struct thread_region *now)
{
	return ring_goes_on(&t->read, now) && t->read.head == now->head;
}

/* Passes on what was recorded since the last look. */
static void look_at_ring(struct look *k, const struct ring_region *r, struct live_thread *t)
{
	struct thread_region *now = &k->b->thread;
	size_t from;

	if (read_all(t, now) || ring_copy_thread(&k->from, r, &t->read, now) != 0)
		return;
	t->turned = !ring_goes_on(&t->read, now);
	from = t->turned ? 0 : t->read.head;
	t->read = (struct ring_place){ now->seq, now->lap, now->head };
	if (k->visitor->record)
		ring_give_records(now->ring, from, now->head, t->thread, &k->bad,
			k->visitor->record, k->visitor->context);
}

static int look_at_thread(struct look *k, const struct ring_region *r)
{
	const struct thread_region *now = &k->b->thread;
	struct live_thread *t;

	if (!read_front(k, r))
		return 0;
	t = thread_of(k->l, now->thread);
	if (!t)
		return -ENOMEM;
	if (!t->known)
		k->quiet = false;
	t->known = true;
	t->seen = true;
	t->turned = false;
	if (memcmp(&t->now, &now->now, sizeof(t->now)) != 0 ||
		t->busy_leave_ticks != now->busy_leave_ticks)
		k->l->changed = true;
	if (k->l->changed || !read_all(t, now) || t->ended != (now->ended != 0))
		k->quiet = false;
	look_at_ring(k, r, t);
	t->held = same_call(&t->now, &now->now);
	t->now = now->now;
	t->busy_leave_ticks = now->busy_leave_ticks;
	t->ended = now->ended != 0;
	return 0;
}

/* Adds the sums in use of a piece of a table, whose first entry has `place`, to b->sums. */
static void take_piece(struct look *k, const uint8_t *piece, uint32_t n, uint32_t place)
{
	struct live_sums *all = &k->l->sums;

	for (uint32_t i = 0; i < n; i++) {
		const struct call_sum *s = (const void *)(piece + i * sizeof(*s));

		if (!ring_entry_is_used(REGION_SUMS, s))
			continue;
		all->calls += s->count;
		all->bytes += s->bytes;
		all->ticks += s->ticks;
		k->b->sums[k->nsums++] = (struct live_sum){ place + i, *s };
	}
}

/* Adds the sums of a table to b->sums, in the order of the file. */
static void take_sums(struct look *k, const struct ring_region *r)
{
	const size_t step = sizeof(struct call_sum), most = PIECE / step;
	uint64_t n = r->bytes / step;

	if (n > SUMS_MOST - k->places)
		n = SUMS_MOST - k->places;
	for (uint64_t at = 0; at < n;) {
		const uint64_t want = n - at < most ? n - at : most;
		const ssize_t got =
			ring_source_read(&k->from, k->b->piece, want * step, r->offset + at * step);

		if (got < (ssize_t)step)
			break;
		take_piece(
			k, k->b->piece, (uint32_t)((size_t)got / step), k->places + (uint32_t)at);
		at += (size_t)got / step;
	}
	k->places += (uint32_t)n;
}

/* The same place has the same callsite, unless a thread has ended and another one has its tables.
 */
static void pass_change(const struct look *k, const struct call_sum *s, const struct call_sum *b)
{
	struct call_sum change = *s;

	if (s->count <= b->count || b->callsite != s->callsite || b->call != s->call)
		return;
	change.count -= b->count;
	change.bytes -= b->bytes;
	change.ticks -= b->ticks;
	k->visitor->sum(k->visitor->context, 0, &change);
}

/* Sums that a table got since the last look are compared with none. */
static void pass_changes(const struct look *k)
{
	const struct live *l = k->l;
	uint32_t b = 0;

	for (uint32_t i = 0; k->visitor->sum && i < k->nsums; i++) {
		const struct live_sum *s = &k->b->sums[i];

		while (b < l->nbefore && l->before[b].place < s->place)
			b++;
		if (b < l->nbefore && l->before[b].place == s->place)
			pass_change(k, &s->sum, &l->before[b].sum);
		else if (s->place < l->places)
			k->visitor->sum(k->visitor->context, 0, &s->sum);
	}
}

static int keep_sums(struct look *k)
{
	struct live *l = k->l;
	int rc = 0;

	if (k->nsums)
		rc = array_cover(&l->before, sizeof(*l->before), &l->room_before, k->nsums - 1);
	if (rc)
		return rc;
	l->nbefore = k->nsums;
	l->places = k->places;
	if (k->nsums)
		memcpy(l->before, k->b->sums, k->nsums * sizeof(*l->before));
	return 0;
}

/* Is a thread held in a call that says nothing of what it waits for? */
static bool waits_for_requests(const struct live *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++) {
		const struct current_call *now = &l->threads[i].now;

		if (l->threads[i].held && !now->mark.kind_mode && now->mark.call != now->call)
			return true;
	}
	return false;
}

static void pass_pending(const struct look *k, const struct ring_region *r, uint32_t *left)
{
	const size_t step = sizeof(struct pending_op), most = PIECE / step;
	uint64_t n = r->bytes / step;

	for (uint64_t at = 0; at < n && *left;) {
		uint64_t want = n - at < most ? n - at : most;
		ssize_t got;

		want = want < *left ? want : *left;
		got = ring_source_read(&k->from, k->b->piece, want * step, r->offset + at * step);
		if (got < (ssize_t)step)
			return;
		got /= (ssize_t)step;
		for (ssize_t i = 0; i < got; i++) {
			const void *op = k->b->piece + (size_t)i * step;

			if (ring_entry_is_used(REGION_PENDING, op))
				k->visitor->pending(k->visitor->context, op);
		}
		at += (uint64_t)got;
		*left -= (uint32_t)got;
	}
}

/* Threads whose regions other threads have taken. */
static void drop_unseen(struct live *l)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nthreads; i++) {
		if (!l->threads[i].seen)
			continue;
		l->threads[n] = l->threads[i];
		l->threads[n++].seen = false;
	}
	l->nthreads = n;
}

/* Regions do not overlap: together they are no larger than the file. */
static bool is_ours(const struct look *k, const struct ring_region *r, uint64_t *claimed)
{
	if (r->kind == REGION_NONE || !ring_region_is_whole(r, k->file_bytes) ||
		r->bytes > k->file_bytes - *claimed)
		return false;
	*claimed += r->bytes;
	return true;
}

static int look_at_threads(struct look *k)
{
	const struct ring_file *h = &k->b->header;
	uint64_t claimed = 0;
	int rc = 0;

	k->quiet = !k->l->fresh;
	for (uint32_t i = 0; i < h->nregions && !rc; i++)
		if (is_ours(k, &h->regions[i], &claimed) && h->regions[i].kind == REGION_THREAD)
			rc = look_at_thread(k, &h->regions[i]);
	return rc;
}

/*
 * A call marks its end in the thread's region, then adds to the sums. Sums are read until a thread
 * has been quiet for two looks. A thread that stops for longer in between shows this call with its
 * next one.
 */
static int look_at_sums(struct look *k)
{
	const struct ring_file *h = &k->b->header;
	uint64_t claimed = 0;

	if (k->quiet && k->l->settled)
		return 0;
	k->l->settled = k->quiet;
	k->l->sums = (struct live_sums){ 0 };
	for (uint32_t i = 0; i < h->nregions; i++)
		if (is_ours(k, &h->regions[i], &claimed) && h->regions[i].kind == REGION_SUMS)
			take_sums(k, &h->regions[i]);
	pass_changes(k);
	return keep_sums(k);
}

static int look_at_regions(struct look *k)
{
	const struct ring_file *h = &k->b->header;
	uint32_t left = PENDING_MOST;
	int rc = look_at_threads(k);

	if (rc)
		return rc;
	drop_unseen(k->l);
	rc = look_at_sums(k);
	for (uint32_t i = 0; k->visitor->pending && waits_for_requests(k->l) && i < h->nregions;
		i++)
		if (h->regions[i].kind == REGION_PENDING &&
			ring_region_is_whole(&h->regions[i], k->file_bytes))
			pass_pending(k, &h->regions[i], &left);
	return rc;
}

/*
 * Does the path still name the file that is mapped? A process that still runs writes to no other
 * file, so a brief look does not ask.
 */
static bool map_is_good(const struct live *l, struct stat *st)
{
	char path[PATH_MAX];

	if (l->map && l->briefly && l->process > 0 && !l->has_ended) {
		*st = (struct stat){
			.st_dev = l->dev, .st_ino = l->ino, .st_size = (off_t)l->map_bytes
		};
		return true;
	}
	return l->map && run_rank_path(l->dir, l->rank, "ring", path, sizeof(path)) == 0 &&
		lstat(path, st) == 0 && S_ISREG(st->st_mode) && st->st_dev == l->dev &&
		st->st_ino == l->ino && (uint64_t)st->st_size == l->map_bytes;
}

/* The map, or else the file, opened. Returns 0 or a negative errno. */
static int find_ring(struct look *k, struct stat *st)
{
	struct live *l = k->l;

	k->from = (struct ring_source){ .fd = -1 };
	if (map_is_good(l, st)) {
		k->from = (struct ring_source){ -1, l->map, l->map_bytes };
		return 0;
	}
	drop_map(l);
	k->from.fd = open_file(l, "ring", st);
	return k->from.fd < 0 ? k->from.fd : 0;
}

/* Keeps the file of a rank of this host. A file server shows its newest state to those who open. */
static void keep_ring(struct look *k)
{
	struct live *l = k->l;

	if (k->from.map) {
		if (l->elsewhere || l->state < LIVE_RUNS)
			drop_map(l);
		return;
	}
	if (!l->elsewhere && l->state >= LIVE_RUNS &&
		ring_source_map(&k->from, k->file_bytes) == 0) {
		l->map = k->from.map;
		l->map_bytes = k->from.map_bytes;
	}
	close(k->from.fd);
}

int live_look(struct live *l, struct live_buffers *b, const struct live_visitor *visitor)
{
	struct look k = { .l = l, .b = b, .visitor = visitor };
	struct live_sums before = l->sums;
	struct stat st;
	int rc;

	l->fresh = l->changed = l->looked_briefly = false;
	rc = find_ring(&k, &st);
	if (rc) {
		/* the last look's numbers stay, of a rank that has gone */
		l->state = rc == -ENOENT ? LIVE_NOTHING : LIVE_UNREADABLE;
		l->cpu_ns = l->no_cpu_ns = -1;
		return 0;
	}
	if (st.st_dev != l->dev || st.st_ino != l->ino)
		forget(l);
	l->dev = st.st_dev;
	l->ino = st.st_ino;
	l->modified_ns = modified(&st);
	k.file_bytes = (uint64_t)st.st_size;
	l->state = look_at_process(&k);
	if (l->elsewhere)
		look_at_spool(l);
	if (l->state >= LIVE_RUNS)
		rc = look_at_regions(&k);
	else
		l->cpu_ns = l->no_cpu_ns = -1;
	keep_ring(&k);
	l->changed |= l->fresh || memcmp(&before, &l->sums, sizeof(before)) != 0;
	return rc;
}

int live_define(
	struct live *l, struct live_buffers *b, uint64_t *bytes, ring_visit *visit, void *context)
{
	struct thread_region *t = &b->thread;
	uint64_t bad = 0;
	int found = 0;
	struct stat st;
	int fd = l->undefinable || *bytes == 0 ? -1 : open_file(l, "spool", &st);

	if (fd < 0)
		return 0;
	if (l->defined == 0) {
		struct spool_file head;

		if (file_read(fd, &head, sizeof(head), 0) == sizeof(head)) {
			l->undefinable = head.magic != SPOOL_MAGIC ||
				head.version != RECORD_VERSION || head.run_id != l->run_id;
			l->defined = sizeof(head);
		}
	}
	if (l->defined && !l->undefinable &&
		file_read(fd, &t->chunk, sizeof(t->chunk), l->defined) == sizeof(t->chunk)) {
		uint32_t n = t->chunk.bytes;

		if (t->chunk.magic != CHUNK_MAGIC || n > RING_BYTES || n % 8) {
			l->undefinable = true;
		} else if (file_read(fd, t->ring, n, l->defined + sizeof(t->chunk)) == n &&
			record_check(t->ring, n) == t->chunk.check) {
			/* a chunk that is not whole may be in writing */
			ring_give_records(t->ring, 0, n, t->chunk.thread, &bad, visit, context);
			l->defined += sizeof(t->chunk) + n;
			*bytes -= *bytes < n + sizeof(t->chunk) ? *bytes : n + sizeof(t->chunk);
			found = 1;
		}
	}
	close(fd);
	return found;
}

void live_release(struct live *l)
{
	drop_map(l);
	drop_process(l);
	free(l->threads);
	free(l->before);
	l->threads = NULL;
	l->before = NULL;
	l->nthreads = l->room = l->nbefore = l->room_before = l->places = 0;
}
