/* SPDX-License-Identifier: BSD-3-Clause */
/* world_note.c: reads the note in the directory of a spawned world (world_note.h). */
#include "analysis/format/run/world_note.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/file.h"

enum { NOTE_BYTES = 1 << 20 };

FILE *world_note_open(const char *dir, bool append)
{
	char path[RUN_PATH_MAX + 16];

	if (snprintf(path, sizeof(path), "%s/" RUN_CLAIM_FILE, dir) >= (int)sizeof(path))
		return NULL;
	return append ?
		file_stream(
			file_open_regular(AT_FDCWD, path, O_WRONLY | O_APPEND | O_NOFOLLOW, NULL),
			"a") :
		file_stream(file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, NULL), "r");
}

/* The rest of the note's line that begins with `word`; the caller frees it. NULL: none. */
static char *note_line(FILE *f, const char *word)
{
	size_t room = 0, length = strlen(word);
	char *line = NULL;

	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, word, length) == 0 && line[length] == ' ') {
			memmove(line, line + length + 1, strlen(line + length + 1) + 1);
			return line;
		}
	}
	free(line);
	return NULL;
}

bool world_note_spawn(const char *dir, uint64_t *key, int *world, int *parent)
{
	FILE *f = world_note_open(dir, false);
	char *line = f ? note_line(f, "spawn") : NULL;
	bool found = line && sscanf(line, "%" SCNx64 " %d %d", key, world, parent) == 3;

	free(line);
	if (f)
		fclose(f);
	return found;
}

char *world_note_settings(const char *dir)
{
	FILE *f = world_note_open(dir, false);
	char *text = calloc(1, NOTE_BYTES), *line;
	size_t used = 0;

	while (f && text && (line = note_line(f, "set"))) {
		size_t length = strlen(line);

		if (used + length + 2 < NOTE_BYTES) {
			memcpy(text + used, line, length);
			used += length + 1;
			text[used - 1] = '\n';
		}
		free(line);
	}
	if (f)
		fclose(f);
	return text;
}

int *world_note_ranks(const char *dir, int count)
{
	FILE *f = world_note_open(dir, false);
	char *line = f ? note_line(f, "ranks") : NULL, *at = line;
	int *ranks = line ? malloc((size_t)count * sizeof(*ranks)) : NULL;

	for (int i = 0; ranks && i < count; i++) {
		char *end;

		ranks[i] = (int)strtol(at, &end, 10);
		if (end == at) {
			free(ranks);
			ranks = NULL;
		}
		at = end;
	}
	free(line);
	if (f)
		fclose(f);
	return ranks;
}
