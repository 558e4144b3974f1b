/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.c: copies run.db without private names, and compresses it to the size asked for (pack.h). */
#include <config.h>

#include "analysis/pack/pack.h"
#include "analysis/pack/queries.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/base/temporary.h"
#include "analysis/format/db/db.h"
#include "analysis/text/out_file.h"
#include "analysis/text/progress.h"

#ifdef HAVE_ZLIB
const char *const pack_absent;
#else
const char *const pack_absent =
	"this tryst was built without zlib (Debian: apt-get install zlib1g-dev, then build again)";
#endif

enum { PIECE = 1 << 20, PAGE = 65536 };

static void tell(uint64_t pages, uint64_t of)
{
	progress("copying page", pages, of);
}

static int compress_into(FILE *out, int fd, uint64_t bytes)
{
	char *piece = malloc(PIECE);
	uint64_t packed = 0;
	int rc = piece ? 0 : -ENOMEM;

	while (!rc && packed < bytes && !ferror(out)) {
		const ssize_t n = file_read(fd, piece, PIECE, packed);

		progress("packing MiB", packed >> 20, bytes >> 20);
		if (n <= 0)
			rc = n < 0 ? (int)n : -EIO;
		else
			packed += fwrite(piece, 1, (size_t)n, out);
	}
	progress_end();
	free(piece);
	return rc;
}

/*
 * Writes the archive, unless it has more than bytes_max: -EFBIG. *size: its bytes, or those of the
 * copy if already these are too many.
 */
static int compress_file(const char *path, const char *target, int64_t bytes_max, int64_t *size,
	const struct say *say)
{
	struct out_file out;
	struct stat st;
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, &st);
	int rc;

	if (fd < 0) {
		rc = -errno;
		say_line(say, "cannot open '%s': %s", path, file_reason(rc));
		return rc;
	}
	*size = st.st_size;
	rc = st.st_size > PACK_BYTES_MAX ? -EFBIG : out_file_open(&out, target, say);
	if (rc == 0) {
		out.bytes_max = bytes_max;
		rc = compress_into(out.stream, fd, (uint64_t)st.st_size);
		if (rc && !out.error)
			say_line(say, "cannot read '%s': %s", path, file_reason(rc));
		rc = out_file_close(&out, rc);
		*size = out.bytes;
		/* a limit of the system, printed: fewer rows are no help */
		if (rc == -EFBIG && out.bytes <= bytes_max)
			rc = -EIO;
	}
	close(fd);
	return rc;
}

/* Removed rows leave no page behind. Temporary tables go. */
static int shrink(sqlite3 *db, const struct say *say)
{
	return db_exec(db, "PRAGMA temp_store = FILE; VACUUM", "pack", say);
}

/* Keeps the rows of `keep` messages, and of as many one-sided and file operations. */
static int thin(sqlite3 *db, int64_t keep, const struct say *say)
{
	char sql[96];
	int rc;

	snprintf(sql, sizeof(sql),
		"DROP TABLE IF EXISTS temp.keep; CREATE TEMP TABLE keep AS SELECT %lld AS n",
		(long long)keep);
	rc = db_exec(db, sql, "pack", say);
	if (!rc)
		rc = db_exec(db, sql_pack_thin, "pack", say);
	return rc ? rc : shrink(db, say);
}

/* Packs, with fewer and fewer rows of messages until the archive is small enough. */
static int pack_copy(sqlite3 *db, const char *path, const char *target,
	const struct pack_options *o, const struct say *say)
{
	int64_t size = 0, fewer, keep = db_int(db, sql_pack_most_rows, 0);
	int64_t limit;
	bool emptied = false;

	for (;;) {
		int rc = compress_file(path, target, o->bytes_max, &size, say);

		if (rc != -EFBIG)
			return rc;
		if (emptied) {
			say_line(say,
				"the archive has %lld bytes without any row of a message: --size "
				"allows only %lld",
				(long long)size, (long long)o->bytes_max);
			return -EFBIG;
		}
		limit = size > PACK_BYTES_MAX ? PACK_BYTES_MAX : o->bytes_max;
		/* a little less than in proportion: another pass would cost more than it gains */
		fewer = (int64_t)(0.8 * (double)keep * (double)limit / (double)size);
		keep = fewer < 100 || fewer >= keep ? 0 : fewer;
		rc = thin(db, keep, say);
		if (rc)
			return rc;
		emptied = keep == 0;
	}
}

int pack_write(sqlite3 *db, const char *target, const struct pack_options *o, const struct say *say,
	int64_t *left_out)
{
	struct temporary scratch = { 0 };
	char path[PATH_MAX];
	sqlite3 *to = NULL;
	int rc = temporary_make(&scratch, say);

	if (rc)
		return rc;
	if (snprintf(path, sizeof(path), "%s/run.db", scratch.path) >= (int)sizeof(path))
		rc = -ENAMETOOLONG;
	else
		rc = db_create(path, 0600, PAGE, &to, say);
	if (!rc) {
		rc = db_backup(db, to, tell);
		progress_end();
		if (rc)
			say_line(
				say, "cannot copy the database to '%s': %s", path, file_reason(rc));
	}
	if (!rc && !db_has_table(to, "input")) {
		rc = -EINVAL;
		say_line(say, "this is one rank's database: name the run");
	}
	if (!rc && !o->names)
		rc = db_exec(to, sql_pack_hide, "pack", say);
	if (!rc)
		rc = shrink(to, say);
	if (!rc)
		rc = pack_copy(to, path, target, o, say);
	if (!rc)
		*left_out = db_run_int(to, -1, "ops_left_out", 0);
	sqlite3_close(to);
	temporary_remove(&scratch);
	return rc;
}
