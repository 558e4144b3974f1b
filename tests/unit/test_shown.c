/* SPDX-License-Identifier: BSD-3-Clause */
/* test_shown.c: foreign text is escaped before it is shown. */
#include <stdlib.h>
#include <string.h>

#include "analysis/base/shown.h"
#include "tests/unit/unit.h"

static void every_byte_and_every_pair_is_shown_as_utf8_without_controls(void)
{
	char text[3], shown[32];

	for (unsigned i = 1; i < 0x10000; i++) {
		uint32_t code;

		text[0] = (char)i;
		text[1] = (char)(i >> 8);
		text[2] = '\0';
		if (!text[0])
			continue;
		shown_text(text, shown, sizeof(shown));
		for (size_t at = 0; shown[at];
			at += utf8_next(shown + at, strlen(shown + at), &code)) {
			utf8_next(shown + at, strlen(shown + at), &code);
			CU_ASSERT_FATAL(shown_as_is(code));
		}
		CU_ASSERT_EQUAL_FATAL(shown_span(shown, strlen(shown)), strlen(shown));
	}
}

static void what_is_no_utf8_is_told_from_what_is(void)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xc0\x80", "\\xc0\\x80" }, /* overlong */
		{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },          /* a surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, /* beyond the last */
		{ "\xe2\x82", "\\xe2\\x82" },                   /* cut */
		{ "\xc2\x9b"
		  "31m",
			"\\u009b31m" },
		{ "a\\n", "a\\n" },
	};
	char shown[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CU_ASSERT_STRING_EQUAL(
			shown_text(cases[i].text, shown, sizeof(shown)), cases[i].shown);
}

static void what_finds_no_room_is_cut_behind_a_whole_character(void)
{
	char shown[6];

	CU_ASSERT_STRING_EQUAL(shown_text("ab\033c", shown, sizeof(shown)), "ab");
	CU_ASSERT_STRING_EQUAL(shown_text("abcd\xc3\xa9", shown, sizeof(shown)), "abcd");
	CU_ASSERT_STRING_EQUAL(shown_text("abc\xc3\xa9", shown, sizeof(shown)), "abc\xc3\xa9");
	CU_ASSERT_STRING_EQUAL(shown_text("\033b", shown, 1), "");
}

static void a_copy_has_room_for_all_escapes(void)
{
	char *shown = shown_copy("\0\033\n", 3);

	CU_ASSERT_STRING_EQUAL(shown, "\\x00\\x1b\\n");
	CU_ASSERT_EQUAL(shown_width(shown), 10);
	free(shown);
}

static const struct unit_test tests[] = {
	{ "every byte and every pair is shown as UTF-8 without controls",
		every_byte_and_every_pair_is_shown_as_utf8_without_controls },
	{ "what is no UTF-8 is told from what is", what_is_no_utf8_is_told_from_what_is },
	{ "what finds no room is cut behind a whole character",
		what_finds_no_room_is_cut_behind_a_whole_character },
	{ "a copy has room for all escapes", a_copy_has_room_for_all_escapes }, { NULL, NULL }
};

int main(void)
{
	return unit_main("shown", tests);
}
