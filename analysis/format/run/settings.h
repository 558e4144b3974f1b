/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h: include/settings.def as a struct, and its reading from the environment or, one
 * value at a time, from options. A value that makes no sense leaves the default in place and is
 * said once; nothing here prints or exits.
 */
#ifndef TRYST_FORMAT_RUN_SETTINGS_H
#define TRYST_FORMAT_RUN_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/say.h"

enum setting_type { SETTING_TEXT, SETTING_WHOLE, SETTING_CHOICE };

/* Indices into the words of the CHOICE settings; a unit test holds them to settings.def. */
enum { RECORD_ON, RECORD_OFF, RECORD_PCONTROL };
enum { CALIBRATE_QUICK, CALIBRATE_OFF };
enum { CLOCK_CHOICE_AUTO, CLOCK_CHOICE_TSC, CLOCK_CHOICE_MONOTONIC };
enum { ROWS_FINALIZE, ROWS_LATER };
enum { MESSAGES_QUIET, MESSAGES_NORMAL, MESSAGES_VERBOSE };

#define SETTING_FIELD_TEXT(field) char *field;
#define SETTING_FIELD_WHOLE(field) int64_t field;
#define SETTING_FIELD_CHOICE(field) int field;
#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help)           \
	SETTING_FIELD_##type(field)
struct settings {
#include "settings.def"
};
#undef SETTING

/* One line of settings.def. */
struct setting {
	const char *variable; /* "TRYST_DIR" */
	const char *option;   /* "dir" of --dir; one letter: -o; NULL: no option */
	const char *argument;
	enum setting_type type;
	const char *initial; /* default as it would be typed; NULL: none */
	int64_t lowest;      /* of WHOLE, inclusive */
	int64_t highest;
	const char *help;
	size_t at; /* offsetof() in struct settings */
};

/* All settings in the order of settings.def; settings_count of them. */
extern const struct setting settings_table[];
extern const size_t settings_count;

/*
 * Fills *s with the defaults. Must come first. Texts are copies (malloc) that settings_release()
 * frees; a copy that finds no memory is left NULL.
 */
void settings_init(struct settings *s);

/*
 * Reads `environment` ("NAME=value" strings ended by NULL, as environ). Says one line for each
 * value that makes no sense (its default stays) and for each unknown TRYST_* variable. An empty
 * value counts as not set. Returns the number of lines said.
 */
int settings_load(struct settings *s, char *const *environment, const struct say *say);

/*
 * Sets one value from text. `name` is a variable ("TRYST_MAX_OPS") or an option ("max-ops").
 * Returns 0; -ENOENT for an unknown name; -EINVAL for a value that makes no sense, after saying
 * so (`name` as given, what is accepted, what is kept).
 */
int settings_set(struct settings *s, const char *name, const char *value, const struct say *say);

/* The entry of that variable or option, NULL for none. */
const struct setting *setting_find(const char *name);

/* The value in words, as it would be typed, in text[size]; "" where it is NULL. */
void setting_print(const struct settings *s, const struct setting *entry, char *text, size_t size);

/* Frees the texts and sets them to NULL. */
void settings_release(struct settings *s);

#endif
