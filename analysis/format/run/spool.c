/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spool.c: opens the two files of a rank, and gives out their records one by one.
 *
 *	spool_open()      header, threads (and, of a live rank, the tables) are copied
 *	spool_records()   chunks of the spool by `seq`, then what the rings hold
 *	spool_entries()   the mapped tables
 *
 * MPI_Init makes the ring, then its head (the magic number last), then the spool, then a thread's
 * region. A process that was killed before the last of these leaves no records, and nothing is
 * damaged.
 *
 * No number from the files is used as an offset, a length or a count before it was compared with
 * the size of the file or the buffer. Work is bounded by a small multiple of the files' size.
 */
#include <config.h>

#include "analysis/format/run/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/base/now.h"
#include "analysis/format/run/process.h"
#include "analysis/format/run/ring_read.h"
#include "analysis/format/run/run_dir.h"

enum {
	WINDOW_BYTES = 1 << 20, /* of the spool, read at once */
	TABLE_BYTES = 1 << 17,  /* of a mapped table, read at once */
	THREADS_MAX = 1 << 20,
	TABLES_COPIED_MAX = 32 << 20, /* of a live rank */
	HEAD_SECONDS = 60 /* time within which a ring gets its head, even on slow file systems */
};

struct input {
	int fd;
	uint64_t bytes;
	dev_t dev;
	ino_t ino;
	char path[PATH_MAX];
};

/* State of a thread in this pass: a slot of an open hash table. */
struct stream {
	uint32_t thread;
	bool used;
	bool has_limit;
	uint64_t next_seq;
	uint64_t limit_seq; /* chunks from this one on are not in this pass */
};

struct spool {
	struct input ring, spool;
	const struct say *say;
	struct ring_file header;
	enum spool_state state;
	struct spool_time read_at;
	struct spool_damage damage;
	bool has_head;  /* of the ring; else the header is zero */
	bool has_spool; /* that may be read */
	struct thread_region **threads;
	uint32_t nthreads;
	uint8_t **tables; /* by region, of a live rank; NULL: read from the file */
	struct stream *streams;
	uint32_t nslots, nstreams;
	uint8_t *window;
	uint64_t window_at, window_bytes;
	_Alignas(8) uint8_t records[TABLE_BYTES]; /* a ring's, or a piece of a table */
};
_Static_assert(TABLE_BYTES >= RING_BYTES, "records");

static int say_unreadable(const struct spool *s, const struct input *in, int rc)
{
	say_line(s->say, "cannot read '%s': %s", in->path, strerror(-rc));
	return rc;
}

/* Says the failure, and marks that reading is over. */
static int fail_reading(struct spool *s, const struct input *in, int rc)
{
	s->damage.read_failed = true;
	return say_unreadable(s, in, rc);
}

/* 0, -ENOENT, or another negative errno. Refuses symbolic links and all but regular files. */
static int open_input(struct input *in, const char *dir, int32_t rank, const char *suffix)
{
	struct stat st;
	int rc = run_rank_path(dir, rank, suffix, in->path, sizeof(in->path));

	if (rc)
		return rc;
	in->fd = file_open_regular(AT_FDCWD, in->path, O_RDONLY | O_NOFOLLOW, &st);
	if (in->fd < 0)
		return -errno;
	in->bytes = (uint64_t)st.st_size;
	in->dev = st.st_dev;
	in->ino = st.st_ino;
	return 0;
}

/* 0: ours; -EPROTO: ours, but not for this program; -EINVAL: not ours. */
static int check_magic(const struct spool *s, const struct input *in, uint64_t magic,
	uint32_t version, uint64_t expected)
{
	if (magic == __builtin_bswap64(expected)) {
		say_line(s->say, "cannot read '%s': written on another type of machine", in->path);
		return -EPROTO;
	}
	if (magic != expected)
		return -EINVAL;
	if (version != RECORD_VERSION) {
		say_line(s->say, "cannot read '%s': format %u, this tryst reads format %d",
			in->path, version, RECORD_VERSION);
		return -EPROTO;
	}
	return 0;
}

/* -ENODATA: there is no head yet. */
static int read_header(struct spool *s)
{
	ssize_t n = file_read(s->ring.fd, &s->header, sizeof(s->header), 0);

	if (n < 0)
		return (int)n;
	if ((size_t)n < sizeof(s->header) || s->header.magic == 0)
		return -ENODATA;
	s->header.boot_id[sizeof(s->header.boot_id) - 1] = 0;
	s->header.host[sizeof(s->header.host) - 1] = 0;
	if (s->header.nregions > RING_REGIONS_MAX) {
		s->header.nregions = RING_REGIONS_MAX;
		s->damage.bad_regions++;
	}
	return check_magic(s, &s->ring, s->header.magic, s->header.version, RING_MAGIC);
}

/* Reads the state of the process, then the header: a dead process does not write any more. */
static int open_ring(struct spool *s, const char *dir, int32_t rank)
{
	int rc = open_input(&s->ring, dir, rank, "ring");

	if (!rc)
		rc = read_header(s);
	if (rc)
		return rc;
	switch (process_look(&s->header)) {
	case PROCESS_ALIVE:
		s->state = SPOOL_ALIVE;
		break;
	case PROCESS_DEAD:
		s->state = SPOOL_DEAD;
		break;
	case PROCESS_ELSEWHERE:
		s->state = SPOOL_ELSEWHERE;
		break;
	}
	s->damage.bad_regions = 0;
	rc = read_header(s);
	if (!rc && s->header.state == RING_CLOSED)
		s->state = SPOOL_CLOSED;
	return rc;
}

static int open_spool(struct spool *s, const char *dir, int32_t rank, bool have_ring)
{
	struct spool_file head;
	ssize_t n;
	int rc = open_input(&s->spool, dir, rank, "spool");

	if (rc)
		return rc;
	n = file_read(s->spool.fd, &head, sizeof(head), 0);
	if (n < 0)
		return (int)n;
	if ((size_t)n < sizeof(head))
		return -EINVAL;
	rc = check_magic(s, &s->spool, head.magic, head.version, SPOOL_MAGIC);
	if (rc)
		return rc;
	if (have_ring && head.run_id != s->header.run_id) {
		say_line(s->say, "'%s' belongs to another run than '%s'; it is left out",
			s->spool.path, s->ring.path);
		return -EINVAL;
	}
	if (!have_ring) {
		s->header.run_id = head.run_id;
		/* without a ring it is unknown whether the spool is still written */
		s->state = SPOOL_ELSEWHERE;
	}
	return 0;
}

/* Copies one thread. A copy that no ring can have is damage. */
static int copy_thread(struct spool *s, const struct ring_region *r)
{
	const struct ring_source ring = { .fd = s->ring.fd };
	struct thread_region *t = aligned_alloc(64, sizeof(*t));
	int rc = t ? ring_copy_thread(&ring, r, NULL, t) : -ENOMEM;

	if (rc == 0) {
		s->threads[s->nthreads++] = t;
		return 0;
	}
	free(t);
	if (rc != -ENODATA && rc != -EAGAIN)
		return say_unreadable(s, &s->ring, rc);
	s->damage.bad_regions++;
	return 0;
}

/* Checks each region once: bad ones become REGION_NONE, threads are copied. */
static int copy_regions(struct spool *s)
{
	uint64_t claimed = 0;
	uint64_t copied = 0;

	s->threads = calloc(RING_REGIONS_MAX, sizeof(*s->threads));
	s->tables = calloc(RING_REGIONS_MAX, sizeof(*s->tables));
	if (!s->threads || !s->tables)
		return say_unreadable(s, &s->ring, -ENOMEM);
	for (uint32_t i = 0; i < s->header.nregions; i++) {
		struct ring_region *r = &s->header.regions[i];
		ssize_t n;

		if (r->kind == REGION_NONE)
			continue;
		/* regions must not overlap, so that together they are no larger than the file */
		if (!ring_region_is_whole(r, s->ring.bytes) ||
			(claimed += r->bytes) > s->ring.bytes) {
			s->damage.bad_regions++;
			r->kind = REGION_NONE;
		} else if (r->kind == REGION_THREAD) {
			int rc = copy_thread(s, r);

			if (rc)
				return rc;
		} else if (s->state == SPOOL_ALIVE && copied + r->bytes <= TABLES_COPIED_MAX) {
			s->tables[i] = calloc(1, r->bytes);
			if (!s->tables[i])
				return say_unreadable(s, &s->ring, -ENOMEM);
			n = file_read(s->ring.fd, s->tables[i], r->bytes, r->offset);
			if (n < 0)
				return say_unreadable(s, &s->ring, (int)n);
			copied += r->bytes;
		}
	}
	return 0;
}

/* True if a file is missing, no regular file, or damaged: only the other one is read. */
static bool is_lost(int rc)
{
	return rc == -ENOENT || rc == -EINVAL || rc == -ENODATA || rc == -ELOOP;
}

static bool is_new(const struct input *in)
{
	struct stat st;

	return fstat(in->fd, &st) != 0 || time(NULL) - st.st_mtime < HEAD_SECONDS;
}

/*
 * True if a process of this machine has the file open for writing: only then does the system refuse
 * a read lease.
 */
static bool is_being_written(const struct input *in)
{
	/* if a process opens it meanwhile, we get a signal; the default one would end us */
	bool writes =
		fcntl(in->fd, F_SETSIG, SIGURG) != 0 || fcntl(in->fd, F_SETLEASE, F_RDLCK) != 0;

	if (!writes)
		fcntl(in->fd, F_SETLEASE, F_UNLCK);
	return writes;
}

/*
 * Checks whether the two files belong together. True if the rank has recorded nothing yet: it has
 * no head and no spool, or a head and no thread.
 */
static bool nothing_yet(struct spool *s, int ring_rc, int spool_rc)
{
	if (ring_rc == -ENODATA && spool_rc == -ENOENT) {
		s->state = is_new(&s->ring) && is_being_written(&s->ring) ? SPOOL_ELSEWHERE :
									    SPOOL_DEAD;
		return true;
	}
	return ring_rc == 0 && s->header.nregions == 0 && s->header.zero_ticks == 0 &&
		(spool_rc == -ENOENT || (spool_rc == -EINVAL && s->spool.bytes == 0));
}

int spool_open(const char *dir, int32_t rank, const struct say *say, struct spool **out)
{
	struct spool *s = calloc(1, sizeof(*s));
	int ring_rc, spool_rc, rc = 0;
	bool nothing;

	*out = NULL;
	if (!s) {
		say_line(say, "cannot read the records of rank %d: no memory", (int)rank);
		return -ENOMEM;
	}
	s->ring.fd = s->spool.fd = -1;
	s->say = say;
	ring_rc = open_ring(s, dir, rank);
	if (ring_rc)
		memset(&s->header, 0, sizeof(s->header));
	else
		rc = copy_regions(s);
	s->read_at = (struct spool_time){ now_ns(CLOCK_MONOTONIC), now_ns(CLOCK_REALTIME) };
	spool_rc = open_spool(s, dir, rank, ring_rc == 0);
	s->header.rank = rank;
	s->has_head = ring_rc == 0;
	s->has_spool = spool_rc == 0;
	nothing = nothing_yet(s, ring_rc, spool_rc);
	s->damage.ring_missing = !s->has_head && !nothing;
	s->damage.spool_missing = !s->has_spool && !nothing;
	if (!rc && (ring_rc == -EPROTO || spool_rc == -EPROTO))
		rc = -EPROTO;
	else if (!rc && ring_rc && !is_lost(ring_rc))
		rc = say_unreadable(s, &s->ring, ring_rc);
	else if (!rc && spool_rc && !is_lost(spool_rc))
		rc = say_unreadable(s, &s->spool, spool_rc);
	else if (!rc && ring_rc && spool_rc && !nothing) {
		const struct input *in = ring_rc == -ENOENT ? &s->spool : &s->ring;

		rc = ring_rc == -ENOENT ? spool_rc : ring_rc;
		if (rc == -EINVAL || rc == -ENODATA) {
			rc = -EINVAL;
			say_line(say, "cannot read '%s': not a file of tryst's, or damaged",
				in->path);
		} else if (rc != -ENOENT) {
			say_unreadable(s, in, rc);
		}
	}
	if (!rc && !(s->window = malloc(WINDOW_BYTES))) {
		rc = -ENOMEM;
		say_unreadable(s, &s->ring, rc);
	}
	if (rc)
		spool_close(s);
	else
		*out = s;
	return rc;
}

void spool_close(struct spool *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nthreads; i++)
		free(s->threads[i]);
	for (uint32_t i = 0; s->tables && i < RING_REGIONS_MAX; i++)
		free(s->tables[i]);
	if (s->ring.fd >= 0)
		close(s->ring.fd);
	if (s->spool.fd >= 0)
		close(s->spool.fd);
	free(s->threads);
	free(s->tables);
	free(s->streams);
	free(s->window);
	free(s);
}

const struct ring_file *spool_header(const struct spool *s)
{
	return &s->header;
}

enum spool_state spool_state(const struct spool *s)
{
	return s->state;
}

struct spool_time spool_read_at(const struct spool *s)
{
	return s->read_at;
}

const struct spool_damage *spool_damage(const struct spool *s)
{
	return &s->damage;
}

const struct thread_region *spool_thread(const struct spool *s, uint32_t i)
{
	return i < s->nthreads ? s->threads[i] : NULL;
}

static struct stream *stream_slot(struct stream *streams, uint32_t nslots, uint32_t thread)
{
	uint32_t i = thread * 2654435761u & (nslots - 1);

	while (streams[i].used && streams[i].thread != thread)
		i = (i + 1) & (nslots - 1);
	return &streams[i];
}

/* The state of a thread, made at its first chunk. NULL: no memory, or too many threads. */
static struct stream *stream_of(struct spool *s, uint32_t thread)
{
	struct stream *found = s->nslots ? stream_slot(s->streams, s->nslots, thread) : NULL;

	if (found && found->used)
		return found;
	if (s->nstreams >= s->nslots / 2) {
		uint32_t nslots = s->nslots ? s->nslots * 2 : 64;
		struct stream *more = nslots > THREADS_MAX ? NULL : calloc(nslots, sizeof(*more));

		if (!more)
			return NULL;
		for (uint32_t i = 0; i < s->nslots; i++)
			if (s->streams[i].used)
				*stream_slot(more, nslots, s->streams[i].thread) = s->streams[i];
		free(s->streams);
		s->streams = more;
		s->nslots = nslots;
		found = stream_slot(more, nslots, thread);
	}
	s->nstreams++;
	found->used = true;
	found->thread = thread;
	return found;
}

/* Bytes [offset, offset + bytes) of the spool; NULL beyond its end, or with an error in *rc. */
static const uint8_t *window(struct spool *s, uint64_t offset, uint64_t bytes, int *rc)
{
	if (offset < s->window_at || offset - s->window_at > s->window_bytes ||
		bytes > s->window_bytes - (offset - s->window_at)) {
		ssize_t n = file_read(s->spool.fd, s->window, WINDOW_BYTES, offset);

		s->window_at = offset;
		s->window_bytes = n > 0 ? (uint64_t)n : 0;
		if (n < 0)
			*rc = fail_reading(s, &s->spool, (int)n);
	}
	if (bytes > s->window_bytes - (offset - s->window_at))
		return NULL;
	return s->window + (offset - s->window_at);
}

/* Gives out the records in s->records[0, bytes). */
static int give_records(
	struct spool *s, uint32_t thread, size_t bytes, ring_visit *visit, void *context)
{
	return ring_give_records(
		s->records, 0, bytes, thread, &s->damage.bad_records, visit, context);
}

/* True if this whole chunk is wanted in this pass and was not yet given. Counts missing chunks. */
static bool chunk_is_next(struct spool *s, const struct chunk *c)
{
	struct stream *stream = stream_of(s, c->thread);

	if (!stream || c->seq < stream->next_seq ||
		(stream->has_limit && c->seq >= stream->limit_seq))
		return false;
	s->damage.missing_chunks += c->seq - stream->next_seq;
	stream->next_seq = c->seq + 1;
	return true;
}

/*
 * Reads the chunk at `offset` into s->records. Returns its bytes with the header, or 0 if no whole
 * chunk begins here. *work: counts bytes with wrong checksums.
 */
static uint64_t read_chunk(
	struct spool *s, uint64_t offset, struct chunk *c, uint64_t *work, int *rc)
{
	const uint8_t *p = window(s, offset, sizeof(*c), rc);

	if (!p)
		return 0;
	memcpy(c, p, sizeof(*c));
	if (c->magic != CHUNK_MAGIC || c->bytes > RING_BYTES || c->bytes % 8)
		return 0;
	p = window(s, offset + sizeof(*c), c->bytes, rc);
	if (!p)
		return 0;
	memcpy(s->records, p, c->bytes);
	if (record_check(s->records, c->bytes) != c->check) {
		*work += c->bytes;
		return 0;
	}
	return sizeof(*c) + c->bytes;
}

/* The next place from `offset` on at which a chunk may begin; else the end of the file. */
static uint64_t find_chunk(struct spool *s, uint64_t offset, int *rc)
{
	const uint32_t wanted = CHUNK_MAGIC;
	uint8_t first;

	memcpy(&first, &wanted, 1);
	while (!*rc) {
		const uint8_t *p = window(s, offset, sizeof(wanted), rc), *hit;
		size_t left;

		if (!p)
			break;
		left = (size_t)(s->window_bytes - (offset - s->window_at)) - (sizeof(wanted) - 1);
		hit = memchr(p, first, left);
		if (hit && memcmp(hit, &wanted, sizeof(wanted)) == 0)
			return offset + (uint64_t)(hit - p);
		offset += hit ? (uint64_t)(hit - p) + 1 : left;
	}
	return UINT64_MAX;
}

static int give_chunks(struct spool *s, ring_visit *visit, void *context)
{
	uint64_t offset = sizeof(struct spool_file);
	uint64_t work = 0;
	struct chunk c;
	int rc = 0;

	while (!rc) {
		uint64_t bytes = read_chunk(s, offset, &c, &work, &rc);

		if (rc)
			break;
		if (bytes) {
			if (chunk_is_next(s, &c))
				rc = give_records(s, c.thread, c.bytes, visit, context);
			offset += bytes;
			continue;
		}
		/* after a wrong checksum, the next magic numbers are tried, within a limit */
		bytes = work > 4 * s->spool.bytes + WINDOW_BYTES ? UINT64_MAX :
								   find_chunk(s, offset + 1, &rc);
		if (bytes == UINT64_MAX) {
			if (s->spool.bytes > offset)
				s->damage.skipped_bytes += s->spool.bytes - offset;
			break;
		}
		s->damage.skipped_bytes += bytes - offset;
		offset = bytes;
	}
	return rc;
}

int spool_records(struct spool *s,
	int (*visit)(void *context, uint32_t thread, const struct rec_head *record), void *context)
{
	int rc = 0;

	s->damage.skipped_bytes = s->damage.missing_chunks = s->damage.bad_records = 0;
	if (s->nslots)
		memset(s->streams, 0, s->nslots * sizeof(*s->streams));
	s->nstreams = 0;
	s->window_bytes = 0;
	for (uint32_t i = 0; s->state == SPOOL_ALIVE && i < s->nthreads; i++) {
		struct stream *stream = stream_of(s, s->threads[i]->thread);

		if (stream) {
			stream->has_limit = true;
			stream->limit_seq = s->threads[i]->seq;
		}
	}
	if (s->has_spool)
		rc = give_chunks(s, visit, context);
	for (uint32_t i = 0; !rc && i < s->nthreads; i++) {
		const struct thread_region *t = s->threads[i];
		struct stream *stream = stream_of(s, t->thread);

		/* if a chunk was written but its ring not yet emptied, its records were already
		 * given */
		if (!stream || t->seq < stream->next_seq || t->head == 0)
			continue;
		if (s->has_spool)
			s->damage.missing_chunks += t->seq - stream->next_seq;
		stream->next_seq = t->seq + 1;
		memcpy(s->records, t->ring, t->head);
		rc = give_records(s, t->thread, t->head, visit, context);
	}
	return rc;
}

int spool_entries(struct spool *s, enum region_kind kind,
	int (*visit)(void *context, uint32_t thread, const void *entry), void *context)
{
	const size_t step = ring_entry_bytes(kind);
	const size_t piece = TABLE_BYTES / step * step;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < s->header.nregions; i++) {
		const struct ring_region *r = &s->header.regions[i];

		if (r->kind != (uint32_t)kind)
			continue;
		for (uint64_t at = 0; !rc && at + step <= r->bytes; at += piece) {
			size_t want = r->bytes - at < piece ? (size_t)(r->bytes - at) : piece;
			ssize_t n = (ssize_t)want;
			const uint8_t *p = s->records;

			if (s->tables[i])
				p = s->tables[i] + at;
			else
				n = file_read(s->ring.fd, s->records, want, r->offset + at);
			if (n < 0)
				return fail_reading(s, &s->ring, (int)n);
			for (size_t e = 0; !rc && e + step <= (size_t)n; e += step)
				if (ring_entry_is_used(kind, p + e))
					rc = visit(context, r->thread, p + e);
		}
	}
	return rc;
}

bool spool_may_consume(const struct spool *s, bool ended)
{
	return ended || s->state == SPOOL_CLOSED || s->state == SPOOL_DEAD;
}

bool spool_changed(const struct spool *s)
{
	uint32_t state;
	struct stat st;

	if (!s->has_head)
		return false;
	return fstat(s->ring.fd, &st) != 0 || st.st_nlink == 0 ||
		file_read(s->ring.fd, &state, sizeof(state), offsetof(struct ring_file, state)) !=
		sizeof(state) ||
		state != s->header.state;
}

static int remove_input(const struct input *in)
{
	struct stat st;

	if (in->fd < 0)
		return 0;
	if (lstat(in->path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	if (st.st_dev != in->dev || st.st_ino != in->ino)
		return -ESTALE;
	return unlink(in->path) == 0 ? 0 : -errno;
}

int spool_remove(struct spool *s)
{
	int rc;

	/*
	 * without a head it is unknown whether the process has ended: another machine may be
	 * writing the file just now
	 */
	if (!s->has_head && !s->has_spool && (is_new(&s->ring) || read_header(s) != -ENODATA))
		return 0;
	/* the ring last, since it shows that the process has ended */
	rc = s->damage.spool_missing ? 0 : remove_input(&s->spool);
	if (!rc && !s->damage.ring_missing)
		rc = remove_input(&s->ring);
	return rc;
}
