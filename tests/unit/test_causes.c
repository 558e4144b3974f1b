/* SPDX-License-Identifier: BSD-3-Clause */
/* test_causes.c: the table of causes has the causes of the schema, each once, with its words. */
#include <config.h>

#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/text/causes.h"
#include "tests/unit/unit.h"

static void every_cause_of_the_schema_is_there(void)
{
	sqlite3_stmt *s;
	sqlite3 *db;
	int n = 0;

	CU_ASSERT_EQUAL_FATAL(db_open_memory(&db), 0);
	CU_ASSERT_EQUAL_FATAL(db_make_schema(db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(db_prepare(db,
				      "SELECT name FROM cause_name UNION ALL "
				      "SELECT name FROM coll_state_name",
				      &s),
		0);
	for (; db_step(s) > 0; n++) {
		const char *name = (const char *)sqlite3_column_text(s, 0);

		if (!cause_find(name)->name)
			fprintf(stderr, "no cause: %s\n", name);
		CU_ASSERT_PTR_NOT_NULL(cause_find(name)->name);
	}
	CU_ASSERT_EQUAL(n, 17);
	sqlite3_finalize(s);
	db_close(db);
}

static void each_is_found_by_its_name(void)
{
	for (const struct cause *c = causes; c->name; c++)
		CU_ASSERT_PTR_EQUAL(cause_find(c->name), c);
}

/* Either all words about a bottleneck are there (waits, why, remedy), or none is. */
static void a_cause_of_a_bottleneck_has_all_its_words(void)
{
	for (const struct cause *c = causes; c->name; c++) {
		CU_ASSERT_EQUAL(!c->waits, !c->why);
		CU_ASSERT_EQUAL(!c->waits, !c->remedy);
		CU_ASSERT(!c->of_waits || c->is_measured);
	}
	CU_ASSERT_STRING_EQUAL(cause_find("no_cpu")->of_waits, "for a CPU");
	CU_ASSERT_STRING_EQUAL(cause_find("late_sender")->helps, "send earlier");
}

static void an_unknown_one_has_no_words(void)
{
	static const char *const names[] = { NULL, "", "late", "late_sender ", "run" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct cause *c = cause_find(names[i]);

		CU_ASSERT_PTR_NULL(c->name);
		CU_ASSERT_FALSE(c->is_measured);
		CU_ASSERT(!c->of_waits && !c->waits && !c->why && !c->remedy && !c->helps);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "every cause of the schema is there", every_cause_of_the_schema_is_there },
		{ "each is found by its name", each_is_found_by_its_name },
		{ "a cause of a bottleneck has all its words",
			a_cause_of_a_bottleneck_has_all_its_words },
		{ "an unknown one has no words", an_unknown_one_has_no_words },
		{ NULL, NULL },
	};

	return unit_main("causes", tests);
}
