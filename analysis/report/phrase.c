/* SPDX-License-Identifier: BSD-3-Clause */
/* phrase.c: fills the columns of a fact into a form of words (phrase.h). */
#include <config.h>

#include "analysis/report/phrase.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN_MAX = 32 };

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), least = strlen(end);

	return length >= least && strcmp(name + length - least, end) == 0;
}

static void add_number(struct text *to, const struct fact *f, const char *column, const char *how)
{
	char number[32];

	if (*how == ',')
		text_add(to, count_text(fact_int(f, column), number, sizeof number));
	else if (*how == 'd')
		text_addf(to, "%lld", (long long)fact_int(f, column));
	else if (*how == 'g')
		text_addf(to, "%.*g", atoi(how + 1), fact_real(f, column));
	else if (*how >= '0' && *how <= '9')
		text_addf(to, "%.*f", *how - '0', fact_real(f, column));
	else if (*how == 'n' || ends_in(column, "_ns") || strcmp(column, "ns") == 0)
		text_add(to, duration_text(fact_real(f, column), number, sizeof number));
	else if (ends_in(column, "_bytes") || strcmp(column, "bytes") == 0)
		text_add(to, bytes_text(fact_real(f, column), number, sizeof number));
	else
		text_addf(to, "%lld", (long long)fact_int(f, column));
}

/* "a|b" */
static void add_either(struct text *to, bool is_first, const char *words, int length)
{
	int first = (int)strcspn(words, "|");

	text_addf(to, "%.*s", is_first ? first : length - first - 1,
		is_first ? words : words + first + 1);
}

/* What stands between braces. False where the column is unknown and no words stand for it. */
static bool add_column(struct text *to, const struct fact *f, const char *form, int length)
{
	char column[COLUMN_MAX];
	int name = (int)strcspn(form, ":?|}"), how = name + (int)strcspn(form + name, "?|}");

	snprintf(column, sizeof column, "%.*s", name, form);
	if (form[how] == '|') {
		add_either(to, fact_int(f, column) == 1, form + how + 1, length - how - 1);
		return true;
	}
	if (!fact_has(f, column)) {
		if (how < length)
			text_addf(to, "%.*s", length - how - 1, form + how + 1);
		return how < length;
	}
	if (fact_text(f, column))
		text_add(to, fact_text(f, column));
	else
		add_number(to, f, column, form[name] == ':' ? form + name + 1 : "");
	return true;
}

/* Up to the end of the form or of a part in brackets. False where a column is unknown. */
static bool add_part(struct text *to, const struct fact *f, const char **form)
{
	bool known = true;

	while (**form && **form != ']') {
		size_t words = strcspn(*form, "[]{");

		text_addf(to, "%.*s", (int)words, *form);
		*form += words;
		if (**form == '{') {
			int length = (int)strcspn(*form, "}");

			known &= add_column(to, f, *form + 1, length - 1);
			*form += length + 1;
		} else if (**form == '[') {
			struct text part = { 0 };

			(*form)++;
			if (add_part(&part, f, form) && part.at)
				text_add(to, part.at);
			*form += **form == ']';
			to->failed |= part.failed;
			text_release(&part);
		}
	}
	return known;
}

void phrase(struct text *to, const struct fact *f, const char *form)
{
	if (form)
		add_part(to, f, &form);
}
