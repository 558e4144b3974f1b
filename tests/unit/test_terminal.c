/* SPDX-License-Identifier: BSD-3-Clause */
/* test_terminal.c: text is wrapped at the columns that there are. */
#include <config.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/text/terminal.h"
#include "tests/unit/unit.h"

/* What is printed of `text`, to be freed. */
static char *wrapped(const char *text, int at, int indent, int columns)
{
	char *got = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&got, &size);

	print_wrapped(out, text, at, indent, columns);
	fclose(out);
	return got;
}

static void expect_wrapped(const char *text, const char *wanted)
{
	char *got = wrapped(text, 2, 4, 10);

	CU_ASSERT_STRING_EQUAL(got, wanted);
	free(got);
}

static void words_go_to_the_next_line_where_they_find_no_room(void)
{
	expect_wrapped("one  two\nthree", "one two\n    three\n");
	expect_wrapped("one twoxy", "one\n    twoxy\n");
	expect_wrapped("a_word_without_room b", "a_word_without_room\n    b\n");
	expect_wrapped("", "\n");
}

static void wide_characters_take_two_columns(void)
{
	CU_ASSERT_PTR_NOT_NULL(setlocale(LC_CTYPE, "C.UTF-8"));
	expect_wrapped("one \xe4\xb8\xad\xe5\x9b\xbd", "one \xe4\xb8\xad\xe5\x9b\xbd\n");
	expect_wrapped("one a\xe4\xb8\xad\xe5\x9b\xbd", "one\n    a\xe4\xb8\xad\xe5\x9b\xbd\n");
	setlocale(LC_CTYPE, "C");
}

/* Names may be long. To look at all behind each word took minutes of this CPU time. */
static void a_text_of_many_words_is_read_once(void)
{
	enum { BYTES = 1 << 20, CPU_SECONDS = 10 };
	char *text = malloc(BYTES + 1), *got;
	clock_t from = clock();

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (int i = 0; i < BYTES; i++)
		text[i] = i % 4 == 3 ? ' ' : 'x';
	text[BYTES] = '\0';
	got = wrapped(text, 0, 0, 79);
	CU_ASSERT(clock() - from < (clock_t)CPU_SECONDS * CLOCKS_PER_SEC);
	text[BYTES - 1] = '\n';
	for (int i = 79; i < BYTES; i += 80)
		text[i] = '\n';
	CU_ASSERT_STRING_EQUAL(got, text);
	free(got);
	free(text);
}

static const struct unit_test tests[] = {
	{ "words go to the next line where they find no room",
		words_go_to_the_next_line_where_they_find_no_room },
	{ "wide characters take two columns", wide_characters_take_two_columns },
	{ "a text of many words is read once", a_text_of_many_words_is_read_once }, { NULL, NULL }
};

int main(void)
{
	return unit_main("terminal", tests);
}
