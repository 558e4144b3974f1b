/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: making, growing and writing the two files of a rank. */
#include "pmpi/record/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/run/process.h"
#include "pmpi/record/clock.h"
#include "pmpi/record/isolate.h"
#include "functions.h"
#include "pmpi/record/shim.h"
#include "pmpi/record/thread.h"

enum {
	SPOOL_STEP = 4 << 20,    /* the spool is reserved this far ahead */
	SPOOL_RESERVE = 1 << 20, /* part of that kept for definitions, once the disk is full */
	/* kept behind the mapped file's regions, for new regions once the disk is full */
	RING_RESERVE = 2 << 20,
	FILL_MAX = 4096, /* unused bytes at the end of a full ring; no record is much longer */
	FIRST_DESCRIPTOR = 700 /* high, so that programs still get low numbers */
};

struct ring_file *ring_file;

static struct {
	const struct ring_full *when_full;
	int ring_fd, spool_fd;
	char ring_path[4352], spool_path[4352];
	dev_t dev;
	ino_t ring_ino, spool_ino;
	uint64_t ring_bytes;
	uint64_t ring_reserved; /* 0: the file system cannot reserve; < ring_bytes: the disk is full
				 */
	uint64_t spool_bytes;
	uint64_t spool_reserved; /* 0: the file system cannot reserve */
	bool full;               /* the disk is full: only definitions are written */
	bool dead;               /* nothing is written any more */
	uint64_t rows[TABLE_COUNT];
	uint64_t max_rows;
	pthread_mutex_t lock;         /* of the spool; taken before the next */
	pthread_mutex_t regions_lock; /* of the mapped file's end and directory */
} ring = { .ring_fd = -1,
	.spool_fd = -1,
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.regions_lock = PTHREAD_MUTEX_INITIALIZER };

/* Moves a descriptor to a number that the program's own open() would not return. */
static int out_of_the_way(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static int open_new(const char *path, int flags, ino_t *ino)
{
	struct stat st;
	int fd = out_of_the_way(file_open(
		AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags));

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0) {
		ring.dev = st.st_dev;
		*ino = st.st_ino;
	}
	return fd;
}

/*
 * The program may have closed our descriptor and opened its own file under the same number. Returns
 * a descriptor that is verified to be ours, or -1.
 */
static int own_descriptor(int *fd, const char *path, ino_t ino, int flags)
{
	struct stat st;

	if (fstat(*fd, &st) == 0 && st.st_dev == ring.dev && st.st_ino == ino)
		return *fd;
	*fd = out_of_the_way(file_open(AT_FDCWD, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags));
	if (*fd < 0)
		return -1;
	if (fstat(*fd, &st) != 0 || st.st_dev != ring.dev || st.st_ino != ino) {
		close(*fd);
		*fd = -1;
		errno = ESTALE;
	}
	return *fd;
}

/* 0 or a negative errno. */
static int reserve(int fd, uint64_t offset, uint64_t bytes)
{
	int err;

	/* a timer of the program may interrupt it */
	do
		err = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
	while (err == EINTR);
	return -err;
}

/* Reserves space behind the end of a file, without changing its length. 0 or a negative errno. */
static int reserve_beyond(int fd, uint64_t offset, uint64_t bytes)
{
	int rc;

	do
		rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) != 0 ? -errno :
											    0;
	while (rc == -EINTR);
	return rc;
}

/* True if this errno means that the file system does not support it. */
static bool cannot_reserve(int rc)
{
	return rc == -EOPNOTSUPP || rc == -ENOSYS;
}

static int map_header(int rank, int world, uint64_t run_id)
{
	struct ring_file *file;
	int rc = reserve(ring.ring_fd, 0, RING_HEADER_BYTES);

	if (rc)
		return rc;
	/* space that is certainly needed is reserved now, or recording does not start */
	rc = reserve_beyond(ring.ring_fd, RING_HEADER_BYTES, RING_RESERVE);
	if (rc == 0)
		ring.ring_reserved = RING_HEADER_BYTES + RING_RESERVE;
	else if (!cannot_reserve(rc))
		return rc;
	file = mmap(NULL, RING_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, ring.ring_fd, 0);
	if (file == MAP_FAILED)
		return -errno;
	file->version = RECORD_VERSION;
	file->state = RING_OPEN;
	file->run_id = run_id;
	file->rank = rank;
	file->world = world;
	file->functions_hash = function_names_hash();
	file->ns_per_tick = shim_clock.ns_per_tick;
	process_identify(file);
	__atomic_store_n(&file->magic, RING_MAGIC, __ATOMIC_RELEASE);
	ring_file = file;
	ring.ring_bytes = RING_HEADER_BYTES;
	return 0;
}

static int start_spool(int rank, uint64_t run_id)
{
	struct spool_file head = { SPOOL_MAGIC, RECORD_VERSION, rank, run_id };
	int rc = reserve_beyond(ring.spool_fd, 0, SPOOL_STEP);

	if (rc && !cannot_reserve(rc))
		return rc;
	ring.spool_reserved = rc ? 0 : SPOOL_STEP;
	ring.spool_bytes = sizeof(head);
	return file_write(ring.spool_fd, &head, sizeof(head));
}

static int create(const char *dir, int rank, int world, uint64_t run_id, uint64_t max_rows)
{
	const char *path = ring.ring_path;
	int rc;

	snprintf(ring.ring_path, sizeof(ring.ring_path), "%s/rank-%06d.ring", dir, rank);
	snprintf(ring.spool_path, sizeof(ring.spool_path), "%s/rank-%06d.spool", dir, rank);
	ring.max_rows = max_rows;
	ring.ring_fd = open_new(path, 0, &ring.ring_ino);
	rc = ring.ring_fd < 0 ? -errno : 0;
	if (rc)
		goto failed;
	rc = map_header(rank, world, run_id);
	if (rc)
		goto unlink_ring;
	path = ring.spool_path;
	ring.spool_fd = open_new(path, O_APPEND, &ring.spool_ino);
	rc = ring.spool_fd < 0 ? -errno : 0;
	if (rc)
		goto unlink_ring;
	rc = start_spool(rank, run_id);
	if (rc)
		goto unlink_spool;
	return 0;

unlink_spool:
	unlink(ring.spool_path);
unlink_ring:
	unlink(ring.ring_path);
failed:
	shim_say_not_recorded(path, -rc);
	if (ring_file)
		munmap(ring_file, RING_HEADER_BYTES);
	ring_file = NULL;
	return -1;
}

int ring_create(const char *dir, int rank, int world, uint64_t run_id, uint64_t max_rows,
	const struct ring_full *full)
{
	struct isolate guest;
	int error;

	isolate_enter(&guest);
	ring.when_full = full;
	error = create(dir, rank, world, run_id, max_rows);
	isolate_leave(&guest);
	return error;
}

bool ring_can_reserve(void)
{
	return ring.ring_reserved > 0;
}

/*
 * Makes [offset, offset + bytes) part of the mapped file, and keeps RING_RESERVE reserved behind it
 * while there is room. 0 or a negative errno.
 */
static int extend_ring(int fd, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes,
		 from = ring.ring_reserved > offset ? ring.ring_reserved : offset;

	if (ring_can_reserve() && end + RING_RESERVE > from &&
		reserve_beyond(fd, from, end + RING_RESERVE - from) == 0)
		ring.ring_reserved = end + RING_RESERVE;
	return reserve(fd, offset, bytes);
}

void *ring_region(uint64_t bytes, uint64_t *offset)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct isolate guest;
	void *p = NULL;
	int fd;

	isolate_enter_locked(&guest);
	bytes = (bytes + page - 1) / page * page;
	pthread_mutex_lock(&ring.regions_lock);
	*offset = (ring.ring_bytes + page - 1) / page * page;
	fd = ring_file && !ring.dead ?
		own_descriptor(&ring.ring_fd, ring.ring_path, ring.ring_ino, 0) :
		-1;
	if (fd >= 0 && ring_file->nregions < RING_REGIONS_MAX &&
		extend_ring(fd, *offset, bytes) == 0) {
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)*offset);
		if (p == MAP_FAILED)
			p = NULL;
		else
			ring.ring_bytes = *offset + bytes;
	}
	pthread_mutex_unlock(&ring.regions_lock);
	isolate_leave(&guest);
	return p;
}

void ring_publish_region(enum region_kind kind, uint32_t thread, uint64_t offset, uint64_t bytes)
{
	struct ring_region *r;
	struct isolate guest;

	isolate_enter_locked(&guest);
	pthread_mutex_lock(&ring.regions_lock);
	if (ring_file->nregions < RING_REGIONS_MAX) {
		r = &ring_file->regions[ring_file->nregions];
		r->thread = thread;
		r->offset = offset;
		r->bytes = bytes;
		__atomic_store_n(&r->kind, kind, __ATOMIC_RELEASE);
		__atomic_store_n(&ring_file->nregions, ring_file->nregions + 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&ring.regions_lock);
	isolate_leave(&guest);
}

void ring_rename_regions(uint32_t old_thread, uint32_t new_thread)
{
	pthread_mutex_lock(&ring.regions_lock);
	for (uint32_t i = 0; i < ring_file->nregions; i++) {
		struct ring_region *r = &ring_file->regions[i];

		if ((r->kind == REGION_THREAD || r->kind == REGION_SUMS) && r->thread == old_thread)
			r->thread = new_thread;
	}
	pthread_mutex_unlock(&ring.regions_lock);
}

/* Writes all or nothing: the part that a failed write left is cut off. Returns 0, or an errno. */
static int write_whole(int fd, const struct chunk *chunk)
{
	size_t bytes = sizeof(*chunk) + chunk->bytes;
	int rc = file_write(fd, chunk, bytes);

	if (rc == 0)
		ring.spool_bytes += bytes;
	else if (file_truncate(fd, ring.spool_bytes) != 0)
		ring.dead = true;
	return -rc;
}

/* Reserves space for a chunk and the reserve behind it. Returns 0, or an errno: the disk is full.
 */
static int room_ahead(int fd, uint64_t bytes)
{
	int rc = 0;

	if (ring.spool_reserved && ring.spool_bytes + bytes + SPOOL_RESERVE > ring.spool_reserved) {
		rc = reserve_beyond(fd, ring.spool_reserved, SPOOL_STEP);
		if (rc == 0)
			ring.spool_reserved += SPOOL_STEP;
	}
	return -rc;
}

static void say_lost(int err)
{
	if (ring_file->lost_errno == 0)
		shim_say("cannot write '%s': %s; from here on only profiles are kept on rank %d",
			ring.spool_path, strerror(err), shim.rank);
	ring_file->lost_errno = err;
}

/*
 * Under the lock: writes the records behind `chunk`, `bytes` in all, as a chunk of this thread.
 * Only definitions and sums may use the reserve. Returns 0, or an errno.
 */
static int write_chunk(struct thread *t, struct chunk *chunk, uint64_t bytes, bool reserved)
{
	int fd = own_descriptor(&ring.spool_fd, ring.spool_path, ring.spool_ino, O_APPEND);

	*chunk = (struct chunk){ .magic = CHUNK_MAGIC,
		.bytes = (uint32_t)bytes,
		.seq = t->region->seq,
		.thread = t->region->thread,
		.check = record_check(chunk + 1, (uint32_t)bytes) };
	if (fd < 0)
		return errno;
	if (!reserved) {
		int err = room_ahead(fd, sizeof(*chunk) + bytes);

		if (err)
			return err;
	}
	return write_whole(fd, chunk);
}

int ring_write_sums(struct thread *t, struct chunk *chunk, uint64_t bytes)
{
	struct isolate guest;
	int err;

	isolate_enter(&guest);
	err = ring.dead ? EPIPE : write_chunk(t, chunk, bytes, true);
	isolate_leave(&guest);
	if (!err)
		t->region->seq++;
	return err ? -1 : 0;
}

/*
 * Writing CHUNK_BYTES into the page cache takes half the time if they begin at a multiple of
 * CHUNK_BYTES (ext4 of Linux 6.18: 9 us instead of 19). So a ring is full once its chunk ends at
 * such a multiple. If that leaves too little room, half a ring is written first.
 */
static uint64_t limit_now(void)
{
	uint64_t beyond = ring.spool_bytes % CHUNK_BYTES;

	return (beyond <= CHUNK_BYTES / 2 ? CHUNK_BYTES - beyond : CHUNK_BYTES / 2) -
		sizeof(struct chunk);
}

uint64_t ring_limit(void)
{
	uint64_t limit;

	pthread_mutex_lock(&ring.lock);
	limit = limit_now();
	pthread_mutex_unlock(&ring.lock);
	return limit;
}

/* Fills the unused end of a full ring. Returns the bytes of its chunk. */
static uint64_t fill_up(struct thread *t)
{
	uint64_t rest = t->limit - t->head;

	if (rest == 0 || rest > FILL_MAX)
		return t->head;
	*(struct rec_head *)(t->region->ring + t->head) =
		(struct rec_head){ .type = REC_NONE, .words = (uint16_t)(rest / 8) };
	return t->limit;
}

static void count_rows(struct thread *t)
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		ring.rows[i] += t->in_ring[i];
		t->in_ring[i] = 0;
	}
}

static uint64_t rows_left(int table)
{
	if (table == TABLE_SAMPLE)
		return UINT64_MAX;
	return ring.rows[table] >= ring.max_rows ? 0 : ring.max_rows - ring.rows[table];
}

static bool within_budget(const struct thread *t)
{
	for (int i = 0; i < TABLE_COUNT; i++)
		if (t->in_ring[i] > rows_left(i))
			return false;
	return true;
}

/* True if all rows of the ring are within the row limits. room[]: rows left of each table. */
static bool have_room(const struct thread *t, uint64_t room[TABLE_COUNT])
{
	const bool ended = ring.full || ring.dead;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = ended ? 0 : rows_left(i);
	return !ended && within_budget(t);
}

/*
 * Writes the whole ring as a chunk and empties it. False: the ring is unchanged, and no more rows
 * are recorded.
 */
static bool write_rows(struct thread *t, bool reserved)
{
	int err = write_chunk(t, &t->region->chunk, fill_up(t), reserved);

	if (err) {
		say_lost(err);
		ring.full = true;
		return false;
	}
	count_rows(t);
	t->head = t->kept = 0;
	return true;
}

static bool leaves_no_room(const struct thread *t)
{
	return t->head + 2 * FILL_MAX > RING_BYTES;
}

/*
 * Lowers head. A process that copies the ring meanwhile sees this before bytes above it are
 * overwritten.
 */
static void shrink(struct thread *t, uint64_t head)
{
	struct thread_region *r = t->region;

	__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	__atomic_store_n(&r->lap, r->lap + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * Adds rows that may not be kept to sums. The other records go to the spool. If they cannot, they
 * stay in the ring behind earlier ones, as long as there is room for the next record. Their rows
 * are counted once they are in the spool; until then the next call folds them again. Returns
 * whether a chunk was written.
 */
static bool fold_ring(struct thread *t, const uint64_t room[TABLE_COUNT])
{
	static const uint64_t none[TABLE_COUNT] = { 0 };

	shrink(t, t->kept);
	t->head = ring.when_full->limit(t, room);
	if (t->head > 0 && !ring.dead && write_chunk(t, &t->region->chunk, t->head, true) == 0) {
		count_rows(t);
		t->head = t->kept = 0;
		return true;
	}
	if (leaves_no_room(t))
		t->head = ring.when_full->limit(t, none);
	if (leaves_no_room(t)) {
		ring_file->lost_bytes += t->head - t->kept;
		t->head = t->kept;
	}
	return false;
}

/* Numbers are those of chunks: a ring that became none keeps its number. */
static void begin_again(struct thread *t, bool written)
{
	shrink(t, t->head);
	if (written)
		__atomic_store_n(&t->region->seq, t->region->seq + 1, __ATOMIC_RELEASE);
	/* before the next record */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	t->limit = t->head == 0 ? limit_now() : RING_BYTES;
	t->shapes_epoch++;
}

void ring_flush(struct thread *t)
{
	struct thread_region *r = t->region;
	uint64_t start = clock_ticks();
	uint64_t room[TABLE_COUNT];
	struct isolate guest;
	bool written;

	isolate_enter_locked(&guest);
	pthread_mutex_lock(&ring.lock);
	ring.when_full->observe(t);
	written = have_room(t, room) && write_rows(t, false);
	if (!written && ring.full && !ring.dead && !t->was_last && within_budget(t)) {
		/*
		 * these records were made before the disk was known to be full: they go into the
		 * reserve, or stay in the ring
		 */
		t->was_last = true;
		written = write_rows(t, true);
		/* a ring of more than a chunk leaves no room for definitions, so it is folded */
		if (!written && t->head <= CHUNK_BYTES - sizeof(struct chunk)) {
			t->kept = t->head;
			count_rows(t);
		}
	}
	if (!written) {
		have_room(t, room);
		written = fold_ring(t, room);
	}
	begin_again(t, written);
	pthread_mutex_unlock(&ring.lock);
	isolate_leave(&guest);
	start = clock_ticks() - start;
	r->tool_ticks += start;
	if (t->sum)
		t->sum->tool_ticks += start;
}

void ring_keep_budget(struct thread *t)
{
	uint64_t room[TABLE_COUNT];

	if (!have_room(t, room))
		ring_flush(t);
}

static enum ring_place place_of(int *fd, const char *path, ino_t ino, int flags)
{
	struct stat st;

	if (lstat(path, &st) == 0 ? st.st_dev == ring.dev && st.st_ino == ino :
				    errno != ENOENT && errno != ENOTDIR)
		return RING_IN_PLACE;
	return own_descriptor(fd, path, ino, flags) >= 0 && fstat(*fd, &st) == 0 && st.st_nlink ?
		RING_MOVED :
		RING_REMOVED;
}

enum ring_place ring_place(void)
{
	enum ring_place a = place_of(&ring.ring_fd, ring.ring_path, ring.ring_ino, 0);
	enum ring_place b = place_of(&ring.spool_fd, ring.spool_path, ring.spool_ino, O_APPEND);

	return a > b ? a : b;
}

void ring_close(enum ring_state state)
{
	if (!ring_file)
		return;
	/* Releases the unused reservation behind the spool's end. */
	if (ring.spool_reserved &&
		own_descriptor(&ring.spool_fd, ring.spool_path, ring.spool_ino, O_APPEND) >= 0)
		(void)file_truncate(ring.spool_fd, ring.spool_bytes);
	__atomic_store_n(&ring_file->state, state, __ATOMIC_RELEASE);
}

/*
 * A program that ends by exit() without MPI_Finalize may have computed for a long time since its
 * last call. A child of fork() has this header, too.
 */
__attribute__((destructor)) static void note_exit(void)
{
	if (ring_file && ring_file->pid == getpid() &&
		__atomic_load_n(&ring_file->state, __ATOMIC_ACQUIRE) == RING_OPEN)
		ring_file->exit_ticks = clock_ticks();
}

void ring_abandon(void)
{
	unlink(ring.spool_path);
	unlink(ring.ring_path);
	ring.dead = true;
	ring_file = NULL;
}

void ring_forget(void)
{
	ring.dead = true;
	ring.ring_fd = ring.spool_fd = -1;
}
