/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h: include/settings.def as a struct, read from the environment or, one value at a time,
 * from options. An invalid value leaves the default in place and is reported once, to the caller's
 * struct say. Nothing here prints or exits.
 */
#ifndef TRYST_FORMAT_RUN_SETTINGS_H
#define TRYST_FORMAT_RUN_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/say.h"

enum setting_type { SETTING_TEXT, SETTING_WHOLE, SETTING_CHOICE };

/* Indices into the words of the CHOICE settings; a unit test holds them to settings.def. */
enum { RECORD_ON, RECORD_OFF, RECORD_PCONTROL, RECORD_PROFILE };
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
	const char *initial; /* default, as a user would type it; NULL: none */
	int64_t lowest;      /* of WHOLE, inclusive */
	int64_t highest;
	const char *help;
	size_t at; /* offsetof() in struct settings */
};

/* All settings in the order of settings.def; settings_count of them. */
extern const struct setting settings_table[];
extern const size_t settings_count;

/*
 * Fills *s with the defaults. Call it first. Texts are malloc'ed copies, which settings_release()
 * frees; a copy is NULL if memory ran out.
 */
void settings_init(struct settings *s);

/*
 * Reads `environment` ("NAME=value" strings ended by NULL, as environ). Reports one line for each
 * invalid value (the default stays) and each unknown TRYST_* variable. An empty value counts as not
 * set. Returns the number of lines.
 */
int settings_load(struct settings *s, char *const *environment, const struct say *say);

/*
 * Sets one value from text. `name` is a variable ("TRYST_MAX_OPS") or an option ("max-ops").
 * Returns 0; -ENOENT for an unknown name; -EINVAL for an invalid value, after a line with `name`,
 * the accepted values, and the value that is kept.
 */
int settings_set(struct settings *s, const char *name, const char *value, const struct say *say);

/*
 * Reads TRYST_RECORD of this process: RECORD_ON, RECORD_OFF, ... RECORD_ON if it is unset or
 * invalid.
 */
int settings_record(void);

/* The entry of that variable or option, NULL for none. */
const struct setting *setting_find(const char *name);

/* Puts the value into text[size], as a user would type it; "" if it is NULL. */
void setting_print(const struct settings *s, const struct setting *entry, char *text, size_t size);

/* Frees the texts and sets them to NULL. */
void settings_release(struct settings *s);

#endif
