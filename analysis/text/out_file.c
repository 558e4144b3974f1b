/* SPDX-License-Identifier: BSD-3-Clause */
/* out_file.c: writes a file through stdio and keeps the reason of a failure (out_file.h). */
#include <config.h>

#include "analysis/text/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "analysis/base/file.h"

static void write_bytes(struct out_file *f, const void *data, size_t bytes)
{
	if (!f->error)
		f->error = file_write(f->fd, data, bytes);
	if (!f->error)
		f->bytes += (int64_t)bytes;
}

/* stdio takes 0 for a failure. */
static ssize_t write_some(void *cookie, const char *data, size_t bytes)
{
	struct out_file *f = cookie;

	write_bytes(f, data, bytes);
	return f->error ? 0 : (ssize_t)bytes;
}

#ifdef HAVE_ZLIB
enum { GZIP_WINDOW = 31, GZIP_LEVEL = 6, GZIP_MEMORY = 8, GZIP_BUFFER = 1 << 16 };

static void gzip_bytes(struct out_file *f, const char *data, size_t bytes, int flush)
{
	unsigned char buffer[GZIP_BUFFER];

	f->gzip->next_in = (unsigned char *)(uintptr_t)data;
	f->gzip->avail_in = (uInt)bytes;
	do {
		f->gzip->next_out = buffer;
		f->gzip->avail_out = sizeof buffer;
		deflate(f->gzip, flush);
		write_bytes(f, buffer, sizeof buffer - f->gzip->avail_out);
	} while (!f->error && f->gzip->avail_out == 0);
}

static ssize_t gzip_some(void *cookie, const char *data, size_t bytes)
{
	struct out_file *f = cookie;

	/* Of a stream's buffer: far below the limit of avail_in. */
	for (size_t done = 0; done < bytes && !f->error; done += GZIP_BUFFER)
		gzip_bytes(f, data + done, bytes - done < GZIP_BUFFER ? bytes - done : GZIP_BUFFER,
			Z_NO_FLUSH);
	return f->error ? 0 : (ssize_t)bytes;
}

static int begin_gzip(struct out_file *f)
{
	size_t length = strlen(f->path);

	if (length < 3 || strcmp(f->path + length - 3, OUT_FILE_GZ) != 0)
		return 0;
	f->gzip = calloc(1, sizeof *f->gzip);
	if (f->gzip &&
		deflateInit2(f->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
			Z_DEFAULT_STRATEGY) == Z_OK)
		return 0;
	free(f->gzip);
	f->gzip = NULL;
	return -ENOMEM;
}

static void end_gzip(struct out_file *f)
{
	if (!f->gzip)
		return;
	if (!f->error)
		gzip_bytes(f, NULL, 0, Z_FINISH);
	deflateEnd(f->gzip);
	free(f->gzip);
	f->gzip = NULL;
}
#else
#define gzip_some write_some

static int begin_gzip(struct out_file *f)
{
	(void)f;
	return 0;
}

static void end_gzip(struct out_file *f)
{
	(void)f;
}
#endif

static int close_it(void *cookie)
{
	struct out_file *f = cookie;

	end_gzip(f);

	/* network file systems tell here that a server took no more; a signal leaves it closed */
	if (close(f->fd) != 0 && errno != EINTR && !f->error)
		f->error = -errno;
	return f->error ? -1 : 0;
}

static int said(const struct out_file *f, int error)
{
	if (error)
		say_line(f->say, "cannot write '%s': %s", f->path, strerror(-error));
	return error;
}

bool out_file_is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

static int finish(struct out_file *f, int rc)
{
	return f->is_stream ? rc : target_finish(&f->target, rc);
}

int out_file_open(struct out_file *f, const char *path, const struct say *say)
{
	int rc;

	*f = (struct out_file){ .path = path, .say = say, .is_stream = out_file_is_stream(path) };
	rc = f->is_stream ? 0 : target_make(&f->target, path, false);
	if (rc)
		return said(f, rc);
	f->fd = file_open(AT_FDCWD, f->is_stream ? path : f->target.temporary,
		O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (f->fd < 0)
		return said(f, finish(f, -errno));
	if (begin_gzip(f) == 0)
		f->stream = fopencookie(f, "w",
			(cookie_io_functions_t){
				.write = f->gzip ? gzip_some : write_some, .close = close_it });
	if (!f->stream) {
		end_gzip(f);
		close(f->fd);
		return said(f, finish(f, -ENOMEM));
	}
	return 0;
}

int out_file_close(struct out_file *f, int rc)
{
	if (fclose(f->stream) != 0 && !f->error)
		f->error = -EIO;
	if (f->error)
		return said(f, finish(f, f->error));
	if (!rc && f->bytes_max && f->bytes > f->bytes_max)
		rc = -EFBIG;
	f->error = finish(f, rc);
	return rc ? rc : said(f, f->error);
}
