/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c: reads settings from variables and options (settings.h). */
#include "analysis/format/run/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/distance.h"

#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help)           \
	{ variable, option, argument, SETTING_##type, initial, lowest, highest, help,              \
		offsetof(struct settings, field) },
const struct setting settings_table[] = {
#include "settings.def"
};
#undef SETTING
const size_t settings_count = sizeof(settings_table) / sizeof(settings_table[0]);

static void *field_of(const struct settings *s, const struct setting *entry)
{
	return (char *)s + entry->at;
}

/* The index of `value` among the words of `argument`, or -1. */
static int choice_index(const char *argument, const char *value)
{
	size_t bytes = strlen(value);
	int index = 0;

	for (const char *word = argument;; index++) {
		size_t word_bytes = strcspn(word, "|");

		if (word_bytes == bytes && memcmp(word, value, bytes) == 0)
			return index;
		if (!word[word_bytes])
			return -1;
		word += word_bytes + 1;
	}
}

/*
 * Digits and an optional suffix k, M or G; of an argument like HZ|off also "off", which is 0.
 * Signs, spaces, other bases and overflow are refused.
 */
static bool parse_whole(const struct setting *entry, const char *text, int64_t *value)
{
	const int64_t step = strncmp(entry->argument, "BYTES", 5) == 0 ? 1024 : 1000;
	static const char suffixes[] = "kMG";
	int64_t n = 0;

	if (strcmp(text, "off") == 0 && strstr(entry->argument, "|off")) {
		*value = 0;
		return true;
	}
	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *text - '0', &n))
			return false;
	if (*text) {
		const char *suffix = strchr(suffixes, *text == 'K' ? 'k' : *text);

		if (!suffix || text[1])
			return false;
		for (const char *s = suffixes; s <= suffix; s++)
			if (__builtin_mul_overflow(n, step, &n))
				return false;
	}
	*value = n;
	return n >= entry->lowest && n <= entry->highest;
}

/* 0, -EINVAL, or -ENOMEM; the field keeps its value on errors. */
static int store(struct settings *s, const struct setting *entry, const char *value)
{
	void *field = field_of(s, entry);
	int64_t whole;
	char *text;
	int choice;

	switch (entry->type) {
	case SETTING_TEXT:
		text = strdup(value);
		if (!text)
			return -ENOMEM;
		free(*(char **)field);
		*(char **)field = text;
		return 0;
	case SETTING_WHOLE:
		if (!parse_whole(entry, value, &whole))
			return -EINVAL;
		*(int64_t *)field = whole;
		return 0;
	case SETTING_CHOICE:
		choice = choice_index(entry->argument, value);
		if (choice < 0)
			return -EINVAL;
		*(int *)field = choice;
		return 0;
	}
	return -EINVAL;
}

void settings_init(struct settings *s)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < settings_count; i++)
		if (settings_table[i].initial)
			store(s, &settings_table[i], settings_table[i].initial);
}

static void say_bad_value(const struct settings *s, const struct setting *entry, const char *name,
	const char *value, const struct say *say)
{
	char kept[64];

	setting_print(s, entry, kept, sizeof(kept));
	if (entry->type == SETTING_WHOLE)
		say_line(say,
			"%s: '%s' is not a whole number from %" PRId64 " to %" PRId64 "; using %s",
			name, value, entry->lowest, entry->highest, kept);
	else
		say_line(say, "%s: '%s' is none of %s; using %s", name, value, entry->argument,
			kept);
}

int settings_set(struct settings *s, const char *name, const char *value, const struct say *say)
{
	const struct setting *entry = setting_find(name);
	int rc;

	if (!entry)
		return -ENOENT;
	rc = store(s, entry, value);
	if (rc == -EINVAL)
		say_bad_value(s, entry, name, value, say);
	else if (rc)
		say_line(say, "%s: no memory; using its default", name);
	return rc;
}

const struct setting *setting_find(const char *name)
{
	for (size_t i = 0; i < settings_count; i++) {
		const struct setting *entry = &settings_table[i];

		if (strcmp(entry->variable, name) == 0)
			return entry;
		if (entry->option && strcmp(entry->option, name) == 0)
			return entry;
	}
	return NULL;
}

static void say_unknown(const char *name, size_t bytes, const struct say *say)
{
	const struct setting *nearest = NULL;
	unsigned best = 4;

	for (size_t i = 0; i < settings_count; i++) {
		const char *other = settings_table[i].variable;
		unsigned d = name_distance(name, bytes, other);

		if (d < best) {
			best = d;
			nearest = &settings_table[i];
		}
	}
	if (nearest)
		say_line(say, "unknown variable %.*s (did you mean %s?)", (int)bytes, name,
			nearest->variable);
	else
		say_line(say, "unknown variable %.*s", (int)bytes, name);
}

int settings_load(struct settings *s, char *const *environment, const struct say *say)
{
	static const char prefix[] = "TRYST_";
	int said = 0;

	for (; *environment; environment++) {
		const char *name = *environment;
		size_t bytes = strcspn(name, "=");
		char variable[64];

		if (strncmp(name, prefix, sizeof(prefix) - 1) != 0 || !name[bytes])
			continue;
		snprintf(variable, sizeof(variable), "%.*s", (int)bytes, name);
		/* settings_set() also accepts names of options, which are not valid in the
		 * environment
		 */
		if (bytes >= sizeof(variable) || !setting_find(variable)) {
			say_unknown(name, bytes, say);
			said++;
		} else if (name[bytes + 1] && settings_set(s, variable, name + bytes + 1, say)) {
			said++;
		}
	}
	return said;
}

int settings_record(void)
{
	const struct setting *entry = setting_find("TRYST_RECORD");
	const char *value = getenv(entry->variable);
	int choice = value ? choice_index(entry->argument, value) : -1;

	return choice < 0 ? RECORD_ON : choice;
}

void setting_print(const struct settings *s, const struct setting *entry, char *text, size_t size)
{
	const void *field = field_of(s, entry);
	const char *word = entry->argument;
	const char *value;

	switch (entry->type) {
	case SETTING_TEXT:
		value = *(char *const *)field;
		snprintf(text, size, "%s", value ? value : "");
		break;
	case SETTING_WHOLE:
		snprintf(text, size, "%" PRId64, *(const int64_t *)field);
		break;
	case SETTING_CHOICE:
		for (int i = *(const int *)field; i > 0; i--)
			word += strcspn(word, "|") + 1;
		snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
		break;
	}
}

void settings_release(struct settings *s)
{
	for (size_t i = 0; i < settings_count; i++) {
		char **text = field_of(s, &settings_table[i]);

		if (settings_table[i].type == SETTING_TEXT) {
			free(*text);
			*text = NULL;
		}
	}
}
