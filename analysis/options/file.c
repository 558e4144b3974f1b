/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.c: options kept in a file, one a line: NAME VALUE, or NAME of a flag. A # begins a comment.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/file.h"

enum { FILE_MOST = 1 << 16 };

/* The whole text, ended by NUL; the caller frees it. NULL: failed, and the error was printed. */
static char *read_text(const char *path)
{
	struct stat st;
	const int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, &st);
	char *text = NULL;
	ssize_t n;

	if (fd < 0) {
		say_error("cannot read '%s': %s", path, file_reason(-errno));
		return NULL;
	}
	if (st.st_size >= FILE_MOST)
		say_error("cannot read '%s': too long", path);
	else if (!(text = calloc(1, (size_t)st.st_size + 1)))
		say_error("out of memory");
	else if ((n = file_read(fd, text, (size_t)st.st_size, 0)) < 0) {
		say_error("cannot read '%s': %s", path, strerror((int)-n));
		free(text);
		text = NULL;
	}
	close(fd);
	return text;
}

static const struct option *find(const struct subcommand *cmd, const char *name)
{
	for (const struct option *o = cmd->options; !option_is_end(o); o++)
		if (strcmp(o->name, name) == 0 && (o->type == OPT_TEXT || o->type == OPT_FLAG))
			return o;
	return NULL;
}

/*
 * Reads one line, and cuts it into name and value. text: the whole file; a value that lies in it
 * before the line is from an earlier line.
 */
static int read_line(
	const struct subcommand *cmd, const char *path, const char *text, char *line, void *values)
{
	const struct option *o;
	const char **already;
	char *value;

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]); n--)
		line[n - 1] = '\0';
	if (!*line)
		return CMD_OK;
	value = line + strcspn(line, " \t=");
	if (*value)
		*value++ = '\0';
	value += strspn(value, " \t");
	o = find(cmd, line);
	if (!o || (*value != '\0') != (o->type == OPT_TEXT)) {
		say_error("'%s': %s '%s'; see tryst %s -h", path,
			!o             ? "no option" :
				*value ? "no value belongs to" :
					 "a value is missing for",
			line, cmd->name);
		return CMD_USAGE;
	}
	if (o->type == OPT_FLAG) {
		*(bool *)((char *)values + o->at) = true;
		return CMD_OK;
	}
	already = (const char **)((char *)values + o->at);
	if ((uintptr_t)*already > (uintptr_t)text && (uintptr_t)*already < (uintptr_t)line) {
		say_error("'%s': '%s' is given twice", path, o->name);
		return CMD_USAGE;
	}
	if (!*already)
		*already = value;
	return CMD_OK;
}

int options_file(const struct subcommand *cmd, const char *path, void *values, char **text)
{
	char *rest = NULL;
	int rc = CMD_OK;

	*text = read_text(path);
	if (!*text)
		return CMD_FAILED;
	for (char *line = strtok_r(*text, "\n", &rest); line && rc == CMD_OK;
		line = strtok_r(NULL, "\n", &rest))
		rc = read_line(cmd, path, *text, line, values);
	return rc;
}
