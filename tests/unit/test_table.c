/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as text, CSV and JSON. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "analysis/table.h"
#include "tests/unit/unit.h"

/* The output of a query, to be freed. */
static char *print(const char *sql, enum table_format format, int columns)
{
	sqlite3_stmt *stmt = NULL;
	char *text = NULL;
	size_t size = 0;
	sqlite3 *db;
	FILE *out;

	sqlite3_open(":memory:", &db);
	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	out = open_memstream(&text, &size);
	table_print(out, stmt, format, columns, NULL);
	fclose(out);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return text;
}

#define EXPECT(sql, format, columns, wanted)                    \
	do {                                                    \
		char *text_ = print(sql, format, columns);      \
		CU_ASSERT_STRING_EQUAL(text_, wanted);          \
		if (strcmp(text_, wanted) != 0)                 \
			fprintf(stderr, "got:\n%s\n", text_);   \
		free(text_);                                    \
	} while (0)

static void durations_and_sizes_get_a_unit_that_suits_them(void)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {{0, "0 ns"}, {999, "999 ns"}, {1000, "1.00 us"}, {12345, "12.3 us"},
		{999999, "1.00 ms"}, {61e9, "61.0 s"}, {1e13, "10000 s"}, {-2500, "-2.50 us"},
		{0.25, "0.25 ns"}};
	char text[32];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CU_ASSERT_STRING_EQUAL(duration_text(cases[i].ns, text, sizeof text),
			cases[i].text);
	CU_ASSERT_STRING_EQUAL(bytes_text(1023, text, sizeof text), "1023 B");
	CU_ASSERT_STRING_EQUAL(bytes_text(1024, text, sizeof text), "1.00 KiB");
	CU_ASSERT_STRING_EQUAL(bytes_text(4096 * 1024.0, text, sizeof text), "4.00 MiB");
}

static void a_column_s_name_tells_its_unit(void)
{
	EXPECT("SELECT 1500 AS wait_ns, 2048 AS sent_bytes, 4040 AS eager_max_bytes,"
	       " 12.34 AS share_pct, 0.125 AS G_ns_per_byte, NULL AS peer, 1234567 AS count",
		TABLE_TEXT, 0,
		"   wait      sent  eager max   share           G  peer      count\n"
		"1.50 us  2.00 KiB     4040 B  12.3 %  0.125 ns/B     -  1,234,567\n");
}

static void machines_get_every_number_in_full(void)
{
	EXPECT("SELECT 1500 AS wait_ns, 'a,\"b\"' AS text, NULL AS peer", TABLE_CSV, 20,
		"wait_ns,text,peer\n1500,\"a,\"\"b\"\"\",\n");
	EXPECT("SELECT 1500 AS wait_ns, 'a' || char(10) || '\"' AS text, NULL AS peer, 0.5 AS x",
		TABLE_JSON, 20,
		"[\n"
		" {\"wait_ns\": 1500, \"text\": \"a\\u000a\\\"\", \"peer\": null, \"x\": 0.5}\n"
		"]");
	EXPECT("SELECT 1 AS a WHERE 0", TABLE_JSON, 20, "[]");
}

static void text_is_shortened_to_the_width_and_numbers_never(void)
{
	EXPECT("SELECT 'a very long function file.c:12' AS \"where\", 123456789 AS count",
		TABLE_TEXT, 30,
		"where                    count\n"
		"..ction file.c:12  123,456,789\n");
	EXPECT("SELECT 'a very long remark about it' AS remark, 5 AS n", TABLE_TEXT, 20,
		"remark             n\na very long rem..  5\n");
	EXPECT("SELECT 'a_function_of_some_length solver.c:1234' AS \"where\", 'MPI_Iallreduce' AS call, 'main colls.c:56' AS"
	       " waited_at", TABLE_TEXT, 50,
		"where              call            waited at\n"
		"..h solver.c:1234  MPI_Iallreduce  main colls.c:56\n");
	EXPECT("SELECT 'a_function solver.c:1234' AS \"where\", 'MPI_Iallreduce' AS call, 'main colls.c:56' AS"
	       " waited_at", TABLE_TEXT, 42,
		"where            call         waited at\n"
		"..solver.c:1234  MPI_Iallr..  ..colls.c:56\n");
	EXPECT("SELECT 123456789 AS count, 123456789 AS more", TABLE_TEXT, 5,
		"      count         more\n123,456,789  123,456,789\n");
}

static void a_last_column_without_values_is_left_out_of_text(void)
{
	EXPECT("SELECT 'a' AS name, NULL AS place UNION ALL SELECT 'b', NULL", TABLE_TEXT, 0, "name\na\nb\n");
	EXPECT("SELECT 'a' AS name, NULL AS place UNION ALL SELECT 'b', 'c'", TABLE_TEXT, 0, "name  place\na     -\nb     c\n");
	EXPECT("SELECT 'a' AS name, NULL AS place", TABLE_CSV, 0, "name,place\na,\n");
	EXPECT("SELECT NULL AS name", TABLE_TEXT, 0, "name\n   -\n");
}

static void no_rows_print_no_titles_but_in_a_query(void)
{
	EXPECT("SELECT 1 AS a WHERE 0", TABLE_TEXT, 20, "");
	EXPECT("SELECT 1 AS a_ns WHERE 0", TABLE_PLAIN, 20, "a_ns\n");
	EXPECT("SELECT 1500 AS a_ns", TABLE_PLAIN, 20, "a_ns\n1500\n");
}

static const struct unit_test tests[] = {
	{ "durations and sizes get a unit that suits them",
		durations_and_sizes_get_a_unit_that_suits_them },
	{ "a column's name tells its unit", a_column_s_name_tells_its_unit },
	{ "machines get every number in full", machines_get_every_number_in_full },
	{ "text is shortened to the width and numbers never",
		text_is_shortened_to_the_width_and_numbers_never },
	{ "a last column without values is left out of text", a_last_column_without_values_is_left_out_of_text },
	{ "no rows print no titles but in a query", no_rows_print_no_titles_but_in_a_query },
	{ NULL, NULL }
};

int main(void)
{
	return unit_main("table", tests);
}
