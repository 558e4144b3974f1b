/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: asks the questions of all sections and has their facts shown. */
#include <config.h>

#include "analysis/report/report.h"

#include <errno.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/text/messages.h"

const char *report_unknown_section(const struct section *sections, const char *list)
{
	if (list && !*list)
		return list;
	for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',') {
		const struct section *s = sections;

		while (s->name &&
			(strncmp(p, s->name, strlen(s->name)) != 0 ||
				(p[strlen(s->name)] && p[strlen(s->name)] != ',')))
			s++;
		if (!s->name)
			return p;
	}
	return NULL;
}

int report_facts(sqlite3 *db, const struct section *section, const struct report_layout *o,
	struct section_facts *list)
{
	/* still an (empty) array for who reads JSON */
	static const struct question nothing_known = { .sql = "SELECT 1 AS unknown WHERE 0" };
	enum question_use unused = o->format == TABLE_TEXT ? FOR_DATA : FOR_TEXT;
	int rc = 0;

	*list = (struct section_facts){ .section = section,
		.query = o->analyzed && section->both ? section->both : &section->one };
	if (!list->query->ask[0].sql)
		return facts_ask(db, &nothing_known, 0, false, &list->facts[list->nfacts++]);
	for (const struct question *q = list->query->ask; q->sql && rc == 0; q++) {
		/* In text one row more, which tells that some are not shown; all may cost much. */
		int64_t top = o->top + (o->format == TABLE_TEXT && q->is_ranking);

		if (q->use != unused)
			rc = facts_ask(
				db, q, top, o->format != TABLE_TEXT, &list->facts[list->nfacts++]);
	}
	return rc;
}

void report_facts_release(struct section_facts *list)
{
	while (list->nfacts > 0)
		facts_release(&list->facts[--list->nfacts]);
}

/* Clears *first where something stands in `out` then. */
static int print_section(
	FILE *out, sqlite3 *db, const struct section *s, const struct report_layout *o, bool *first)
{
	struct section_facts list;
	int rc = report_facts(db, s, o, &list);

	if (rc == 0) {
		rc = o->format == TABLE_TEXT ? report_render_text(out, &list, o, *first) :
					       report_render_data(out, &list, o, *first);
		*first = false;
	} else {
		say_error("section '%s': %s", s->name,
			rc == -EIO ? sqlite3_errmsg(db) : strerror(-rc));
	}
	report_facts_release(&list);
	return rc;
}

int report_print(FILE *out, sqlite3 *db, const struct section *sections,
	const struct report_layout *o, const char **unknown)
{
	bool first = true;
	int rc = 0;

	*unknown = report_unknown_section(sections, o->sections);
	if (*unknown)
		return -EINVAL;
	if (o->format == TABLE_JSON)
		fputs("{\n", out);
	if (o->format == TABLE_JSON && o->schema) {
		fputs("\"schema\": {\"name\": ", out);
		json_string(out, o->schema);
		fprintf(out, ", \"version\": %d}", REPORT_JSON_VERSION);
		first = false;
	}
	for (const struct section *s = sections; s->name; s++) {
		int one;

		if ((o->sections && !list_has(o->sections, s->name)) ||
			(s->asked && !o->sections && o->format == TABLE_TEXT) ||
			(s->when && db_int(db, s->when, 1) == 0))
			continue;
		one = print_section(out, db, s, o, &first);
		rc = rc ? rc : one;
	}
	if (o->format == TABLE_JSON)
		fputs("\n}\n", out);
	return rc;
}
