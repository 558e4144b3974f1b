/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unpack.c: the database of an archive (pack.h). A small archive can hold a very large file. No
 * more than PACK_BYTES_MAX is written, and nothing if the first bytes are not those of run.db.
 */
#include <config.h>

#include "analysis/pack/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "analysis/base/file.h"
#include "analysis/format/db/db.h"
#include "analysis/text/progress.h"

bool pack_is_archive(const char *path)
{
	unsigned char head[2];
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);
	bool is = fd >= 0 && file_read(fd, head, sizeof(head), 0) == sizeof(head) &&
		head[0] == 0x1f && head[1] == 0x8b;

	if (fd >= 0)
		close(fd);
	return is;
}

#ifndef HAVE_ZLIB

int pack_read(const char *path, const char *to, const struct say *say)
{
	(void)to;
	say_line(say, "cannot read '%s': %s", path, pack_absent);
	return -ENOSYS;
}

#else

enum { PIECE = 1 << 16, GZIP_WINDOW = 31, HEAD = 72 };

struct unpack {
	z_stream z;
	int from, to;
	uint64_t read, written;
	uint64_t bytes; /* of the archive */
	unsigned char in[PIECE], out[PIECE];
};

/* SQLite's header: a name, and the application's id at byte 68, big-endian. */
static bool is_database(const unsigned char *head, size_t bytes)
{
	return bytes >= HEAD && memcmp(head, "SQLite format 3", 16) == 0 &&
		((uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 |
			head[71]) == DB_APPLICATION_ID;
}

/* Writes what z has put into out[]. */
static int put(struct unpack *u)
{
	const size_t n = PIECE - u->z.avail_out;

	if (n == 0)
		return 0;
	if (u->written == 0 && !is_database(u->out, n))
		return -EINVAL;
	if (n > (uint64_t)PACK_BYTES_MAX - u->written)
		return -EFBIG;
	u->written += n;
	return file_write(u->to, u->out, n);
}

/* Inflates what in[] has. *ended: the archive is whole. */
static int inflate_piece(struct unpack *u, bool *ended)
{
	int rc = 0, state;

	do {
		u->z.next_out = u->out;
		u->z.avail_out = PIECE;
		state = inflate(&u->z, Z_NO_FLUSH);
		*ended = state == Z_STREAM_END;
		if (state == Z_MEM_ERROR)
			return -ENOMEM;
		if (!*ended && state != Z_OK && state != Z_BUF_ERROR)
			return -EINVAL;
		rc = put(u);
	} while (!rc && !*ended && u->z.avail_out == 0);
	return rc;
}

static int unpack_all(struct unpack *u)
{
	bool ended = false;
	int rc = 0;

	while (!rc && !ended) {
		const ssize_t n = file_read(u->from, u->in, PIECE, u->read);

		/* the archive was cut off */
		if (n <= 0)
			return n < 0 ? (int)n : -EINVAL;
		progress("unpacking MiB", u->read >> 20, u->bytes >> 20);
		u->read += (uint64_t)n;
		u->z.next_in = u->in;
		u->z.avail_in = (uInt)n;
		rc = inflate_piece(u, &ended);
	}
	/* an archive with bytes behind its end is damaged, too */
	return !rc && (u->z.avail_in || u->read < u->bytes || !u->written) ? -EINVAL : rc;
}

int pack_read(const char *path, const char *to, const struct say *say)
{
	static struct unpack u;
	struct stat st;
	int rc;

	memset(&u.z, 0, sizeof(u.z));
	u.read = u.written = 0;
	u.from = file_open_regular(AT_FDCWD, path, O_RDONLY, &st);
	if (u.from < 0) {
		rc = -errno;
		say_line(say, "cannot open '%s': %s", path, file_reason(rc));
		return rc;
	}
	u.bytes = (uint64_t)st.st_size;
	u.to = file_open_mode(
		AT_FDCWD, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	rc = u.to < 0 ? -errno : inflateInit2(&u.z, GZIP_WINDOW) == Z_OK ? 0 : -ENOMEM;
	if (!rc) {
		rc = unpack_all(&u);
		inflateEnd(&u.z);
	}
	progress_end();
	if (u.to >= 0 && close(u.to) != 0 && errno != EINTR && !rc)
		rc = -errno;
	close(u.from);
	if (rc && u.to >= 0)
		unlink(to);
	if (rc == -EINVAL)
		say_line(say, "'%s' is no archive of tryst pack, or damaged", path);
	else if (rc == -EFBIG)
		say_line(say, "'%s' holds more than %lld GiB: it is not read", path,
			(long long)(PACK_BYTES_MAX >> 30));
	else if (rc)
		say_line(say, "cannot unpack '%s': %s", path, file_reason(rc));
	return rc;
}

#endif
