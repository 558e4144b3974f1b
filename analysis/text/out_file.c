/* SPDX-License-Identifier: BSD-3-Clause */
/* out_file.c: writes a file through stdio and keeps the reason of a failure (out_file.h). */
#include <config.h>

#include "analysis/text/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/file.h"

/* stdio takes 0 for a failure. */
static ssize_t write_some(void *cookie, const char *data, size_t bytes)
{
	struct out_file *f = cookie;

	if (!f->error)
		f->error = file_write(f->fd, data, bytes);
	return f->error ? 0 : (ssize_t)bytes;
}

static int close_it(void *cookie)
{
	struct out_file *f = cookie;

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

int out_file_open(struct out_file *f, const char *path, const struct say *say)
{
	*f = (struct out_file){ .fd = file_open(
					AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC),
		.path = path,
		.say = say };
	if (f->fd < 0)
		return said(f, -errno);
	f->stream = fopencookie(
		f, "w", (cookie_io_functions_t){ .write = write_some, .close = close_it });
	if (!f->stream) {
		close(f->fd);
		unlink(path);
		return said(f, -ENOMEM);
	}
	return 0;
}

int out_file_close(struct out_file *f)
{
	if (fclose(f->stream) != 0 && !f->error)
		f->error = -EIO;
	return said(f, f->error);
}
