/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_settings.c: settings are read from variables and options. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "analysis/format/run/settings.h"
#include "tests/unit/scratch.h"

/* Loads from variables, says into *said. */
static void load(struct settings *s, struct say_list *said, const char *const *environment)
{
	say_list_init(said);
	settings_init(s);
	settings_load(s, (char *const *)environment, &said->say);
}

static void defaults_are_those_of_the_table(void)
{
	struct settings s;

	settings_init(&s);
	for (size_t i = 0; i < settings_count; i++) {
		char text[256];

		setting_print(&s, &settings_table[i], text, sizeof(text));
		CU_ASSERT_STRING_EQUAL(
			text, settings_table[i].initial ? settings_table[i].initial : "");
	}
	CU_ASSERT_EQUAL(s.max_ops, 1000000);
	CU_ASSERT_PTR_NULL(s.dir);
	settings_release(&s);
}

/* The constants that code compares with are the indices of the words in settings.def. */
static void constants_stand_for_the_words_of_the_table(void)
{
	static const struct {
		const char *variable, *word;
		int value;
	} words[] = {
		{ "TRYST_RECORD", "on", RECORD_ON },
		{ "TRYST_RECORD", "off", RECORD_OFF },
		{ "TRYST_RECORD", "pcontrol", RECORD_PCONTROL },
		{ "TRYST_RECORD", "profile", RECORD_PROFILE },
		{ "TRYST_CALIBRATE", "quick", CALIBRATE_QUICK },
		{ "TRYST_CALIBRATE", "off", CALIBRATE_OFF },
		{ "TRYST_CLOCK", "auto", CLOCK_CHOICE_AUTO },
		{ "TRYST_CLOCK", "tsc", CLOCK_CHOICE_TSC },
		{ "TRYST_CLOCK", "monotonic", CLOCK_CHOICE_MONOTONIC },
		{ "TRYST_ROWS", "finalize", ROWS_FINALIZE },
		{ "TRYST_ROWS", "later", ROWS_LATER },
		{ "TRYST_MESSAGES", "quiet", MESSAGES_QUIET },
		{ "TRYST_MESSAGES", "normal", MESSAGES_NORMAL },
		{ "TRYST_MESSAGES", "verbose", MESSAGES_VERBOSE },
	};
	struct settings s;

	settings_init(&s);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const struct setting *entry = setting_find(words[i].variable);

		CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
		CU_ASSERT_EQUAL(settings_set(&s, words[i].variable, words[i].word, NULL), 0);
		CU_ASSERT_EQUAL(*(int *)((char *)&s + entry->at), words[i].value);
	}
	settings_release(&s);
}

static void values_come_from_the_environment(void)
{
	const char *const environment[] = { "HOME=/root", "TRYST_DIR=/tmp/a b", "TRYST_MAX_OPS=3k",
		"TRYST_RECORD=pcontrol", "TRYST_LINKS=", "TRYST_SAMPLE=off",
		"TRYST_SAMPLE_STACK=1k", NULL };
	struct say_list said;
	struct settings s;

	load(&s, &said, environment);
	CU_ASSERT_STRING_EQUAL(s.dir, "/tmp/a b");
	CU_ASSERT_EQUAL(s.max_ops, 3000);
	CU_ASSERT_EQUAL(s.record, RECORD_PCONTROL);
	CU_ASSERT_EQUAL(s.sample, 0);
	CU_ASSERT_EQUAL(s.sample_stack, 1024);
	CU_ASSERT_PTR_NULL(s.links);
	CU_ASSERT_EQUAL(scratch_lines(&said), 0);
	settings_release(&s);
}

static void nonsense_is_said_once_and_leaves_the_default(void)
{
	static const char *const bad[] = { "TRYST_MAX_OPS=-1", "TRYST_MAX_OPS=1e6",
		"TRYST_MAX_OPS= 7", "TRYST_MAX_OPS=7 ", "TRYST_MAX_OPS=0x10",
		"TRYST_MAX_OPS=99999999999999999999", "TRYST_MAX_OPS=9999999999G",
		"TRYST_MAX_OPS=2000G", "TRYST_MAX_OPS=7kk", "TRYST_STACK_DEPTH=65",
		"TRYST_RECORD=On", "TRYST_RECORD=on|off", "TRYST_RECORD=o", "TRYST_MAX_OPS=off",
		"TRYST_SAMPLE=on", "TRYST_CLOCK=\xff\xfe" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const environment[] = { bad[i], NULL };
		struct say_list said;
		struct settings s;

		load(&s, &said, environment);
		CU_ASSERT_EQUAL(scratch_lines(&said), 1);
		CU_ASSERT(scratch_said(&said, "TRYST_"));
		CU_ASSERT_EQUAL(s.max_ops, 1000000);
		CU_ASSERT_EQUAL(s.stack_depth, 8);
		CU_ASSERT_EQUAL(s.record, RECORD_ON);
		CU_ASSERT_EQUAL(s.clock, CLOCK_CHOICE_AUTO);
		settings_release(&s);
	}
}

static void unknown_variables_are_named_with_the_nearest_known_one(void)
{
	const char *const environment[] = { "TRYST_MAXOPS=5", "TRYST_=1", "TRYST_max-ops=3",
		"TRYST_SOMETHING_ELSE_OF_CONSIDERABLE_LENGTH_THAT_FITS_NO_BUFFER_OF_THE_PARSER=1",
		NULL };
	struct say_list said;
	struct settings s;

	load(&s, &said, environment);
	CU_ASSERT_EQUAL(scratch_lines(&said), 4);
	CU_ASSERT(scratch_said(&said, "TRYST_MAXOPS (did you mean TRYST_MAX_OPS?)"));
	CU_ASSERT_EQUAL(s.max_ops, 1000000);
	settings_release(&s);
}

static void options_set_the_same_values_by_their_names(void)
{
	struct say_list said;
	struct settings s;

	say_list_init(&said);
	settings_init(&s);
	CU_ASSERT_EQUAL(settings_set(&s, "max-ops", "2M", &said.say), 0);
	CU_ASSERT_EQUAL(s.max_ops, 2000000);
	CU_ASSERT_EQUAL(settings_set(&s, "o", "x", &said.say), 0);
	CU_ASSERT_EQUAL(settings_set(&s, "o", "y", &said.say), 0);
	CU_ASSERT_STRING_EQUAL(s.dir, "y");
	CU_ASSERT_EQUAL(settings_set(&s, "no-such", "y", &said.say), -ENOENT);
	CU_ASSERT_EQUAL(settings_set(&s, "rows", "never", &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "rows: 'never' is none of finalize|later; using finalize"));
	settings_release(&s);
}

static void one_function_reads_what_is_recorded(void)
{
	static const struct {
		const char *value; /* NULL: unset */
		int record;
	} cases[] = { { NULL, RECORD_ON }, { "", RECORD_ON }, { "on", RECORD_ON },
		{ "off", RECORD_OFF }, { "pcontrol", RECORD_PCONTROL },
		{ "profile", RECORD_PROFILE }, { "profiles", RECORD_ON }, { "prof", RECORD_ON } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (cases[i].value)
			setenv("TRYST_RECORD", cases[i].value, 1);
		else
			unsetenv("TRYST_RECORD");
		CU_ASSERT_EQUAL(settings_record(), cases[i].record);
	}
	unsetenv("TRYST_RECORD");
}

static const struct unit_test tests[] = { { "defaults are those of the table",
						  defaults_are_those_of_the_table },
	{ "constants stand for the words of the table",
		constants_stand_for_the_words_of_the_table },
	{ "values come from the environment", values_come_from_the_environment },
	{ "nonsense is said once and leaves the default",
		nonsense_is_said_once_and_leaves_the_default },
	{ "unknown variables are named with the nearest known one",
		unknown_variables_are_named_with_the_nearest_known_one },
	{ "options set the same values by their names",
		options_set_the_same_values_by_their_names },
	{ "one function reads what is recorded", one_function_reads_what_is_recorded },
	{ NULL, NULL } };

int main(void)
{
	return unit_main("settings", tests);
}
