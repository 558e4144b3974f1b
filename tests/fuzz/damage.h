/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damage.h: what the tests test_NAME_damage.c share: chance from a fixed seed, and the corpus in
 * the tree.
 */
#ifndef TRYST_DAMAGE_H
#define TRYST_DAMAGE_H

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/target.h"
#include "tests/unit/scratch.h"

static uint64_t damage_state = 20261120;

static inline uint64_t damage_next(void)
{
	damage_state ^= damage_state << 13;
	damage_state ^= damage_state >> 7;
	damage_state ^= damage_state << 17;
	return damage_state * 0x2545f4914f6cdd1dULL;
}

/* Calls use() with each file of tests/fuzz/<name>. Returns how many there are. */
static inline int damage_corpus(const char *name, void (*use)(const uint8_t *data, size_t size))
{
	/* tests/run says where the sources are; without it, beside this file as it was compiled */
	const char *source = getenv("TEST_SRC");
	const int folder = (int)(strrchr(__FILE__, '/') - __FILE__);
	const struct dirent *entry;
	char path[PATH_MAX];
	int n = 0;
	DIR *d;

	if (source && *source)
		snprintf(path, sizeof(path), "%s/tests/fuzz/%s", source, name);
	else
		snprintf(path, sizeof(path), "%.*s/%s", folder, __FILE__, name);
	d = opendir(path);
	while (d && (entry = readdir(d))) {
		uint8_t *data;
		size_t bytes;

		if (entry->d_name[0] == '.')
			continue;
		data = scratch_read(scratch_path(path, entry->d_name), &bytes);
		use(data, bytes);
		free(data);
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

static inline void damage_run(const uint8_t *data, size_t size)
{
	target_run(data, size);
}

#endif
