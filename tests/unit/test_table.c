/* SPDX-License-Identifier: BSD-3-Clause */
/* test_table.c: tables are printed as text, CSV and JSON. */
#include <config.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/text/table.h"
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

#define EXPECT(sql, format, columns, wanted)                                                       \
	do {                                                                                       \
		char *text_ = print(sql, format, columns);                                         \
		CU_ASSERT_STRING_EQUAL(text_, wanted);                                             \
		if (strcmp(text_, wanted) != 0)                                                    \
			fprintf(stderr, "got:\n%s\n", text_);                                      \
		free(text_);                                                                       \
	} while (0)

static void durations_and_sizes_get_a_unit_that_suits_them(void)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = { { 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.00 us" }, { 12345, "12.3 us" },
		{ 999999, "1.00 ms" }, { 61e9, "61.0 s" }, { 1e13, "10000 s" },
		{ -2500, "-2.50 us" }, { 0.25, "0.25 ns" } };
	char text[32];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CU_ASSERT_STRING_EQUAL(
			duration_text(cases[i].ns, text, sizeof text), cases[i].text);
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
	EXPECT("SELECT 'a_function_of_some_length solver.c:1234' AS \"where\", 'MPI_Iallreduce' AS "
	       "call, 'main colls.c:56' AS waited_at",
		TABLE_TEXT, 50,
		"where              call            waited at\n"
		"..h solver.c:1234  MPI_Iallreduce  main colls.c:56\n");
	EXPECT("SELECT 'a_function solver.c:1234' AS \"where\", 'MPI_Iallreduce' AS call, 'main "
	       "colls.c:56' AS waited_at",
		TABLE_TEXT, 42,
		"where            call         waited at\n"
		"..solver.c:1234  MPI_Iallr..  ..colls.c:56\n");
	EXPECT("SELECT 123456789 AS count, 123456789 AS more", TABLE_TEXT, 5,
		"      count         more\n123,456,789  123,456,789\n");
}

static void a_last_column_without_values_is_left_out_of_text(void)
{
	EXPECT("SELECT 'a' AS name, NULL AS place UNION ALL SELECT 'b', NULL", TABLE_TEXT, 0,
		"name\na\nb\n");
	EXPECT("SELECT 'a' AS name, NULL AS place UNION ALL SELECT 'b', 'c'", TABLE_TEXT, 0,
		"name  place\na     -\nb     c\n");
	EXPECT("SELECT 'a' AS name, NULL AS place", TABLE_CSV, 0, "name,place\na,\n");
	EXPECT("SELECT NULL AS name", TABLE_TEXT, 0, "name\n   -\n");
}

static void no_rows_print_no_titles_but_in_a_query(void)
{
	EXPECT("SELECT 1 AS a WHERE 0", TABLE_TEXT, 20, "");
	EXPECT("SELECT 1 AS a_ns WHERE 0", TABLE_PLAIN, 20, "a_ns\n");
	EXPECT("SELECT 1500 AS a_ns", TABLE_PLAIN, 20, "a_ns\n1500\n");
}

/*
 * Names as somebody may choose them: a title for the terminal, a new line, C1, a direction, no
 * UTF-8, a NUL.
 */
#define TITLE "char(27) || ']0;own' || char(7)"
#define BROKEN "CAST(x'61ff9bc3' AS TEXT)"

static void no_name_reaches_the_terminal_as_a_command(void)
{
	EXPECT("SELECT " TITLE " AS a", TABLE_PLAIN, 0, "a\n\\x1b]0;own\\x07\n");
	EXPECT("SELECT 'a' || char(10) || 'b' AS a, char(9) || char(13) AS b", TABLE_TEXT, 0,
		"a     b\na\\nb  \\t\\r\n");
	EXPECT("SELECT char(155) || char(8238) || char(917569) || 'é' AS a", TABLE_PLAIN, 0,
		"a\n\\u009b\\u202e\\U000e0041é\n");
	EXPECT("SELECT " BROKEN " AS a, CAST(x'620063' AS TEXT) AS b", TABLE_PLAIN, 0,
		"a              b\na\\xff\\x9b\\xc3  b\\x00c\n");
	EXPECT("SELECT 1 AS \"\x1b[2J\"", TABLE_PLAIN, 0, "\\x1b[2J\n      1\n");
	EXPECT("SELECT " TITLE " AS \"\x1b[2J\", 'a' || char(10) || char(9) || 'b' AS b", TABLE_CSV,
		0, "\\x1b[2J,b\n\\x1b]0;own\\x07,\"a\n\tb\"\n");
}

static void a_name_is_cut_between_its_characters(void)
{
	EXPECT("SELECT 'ééééééééééééééé' AS \"where\","
	       " 123456789 AS count",
		TABLE_TEXT, 25, "where               count\n..éééééééééé  123,456,789\n");
	EXPECT("SELECT 'ééééééééééééééé' AS name,"
	       " 123456789 AS count",
		TABLE_TEXT, 25, "name                count\néééééééééé..  123,456,789\n");
}

static void a_wide_character_takes_two_columns(void)
{
	CU_ASSERT_PTR_NOT_NULL(setlocale(LC_CTYPE, "C.UTF-8"));
	EXPECT("SELECT '計算' AS name, 5 AS n UNION ALL SELECT 'abcdef', 6", TABLE_TEXT, 0,
		"name    n\n計算    5\nabcdef  6\n");
	EXPECT("SELECT '計算計算計算計算' AS \"where\", 123456789 AS count", TABLE_TEXT, 24,
		"where              count\n..計算計算   123,456,789\n");
	EXPECT("SELECT '計算計算計算計算' AS name, 123456789 AS count", TABLE_TEXT, 24,
		"name               count\n計算計算..   123,456,789\n");
	setlocale(LC_CTYPE, "C");
}

static void json_is_valid_whatever_the_names_are(void)
{
	EXPECT("SELECT " TITLE " AS a, " BROKEN " AS b", TABLE_JSON, 0,
		"[\n {\"a\": \"\\u001b]0;own\\u0007\", \"b\": \"a\\ufffd\\ufffd\\ufffd\"}\n]");
	EXPECT("SELECT char(127) || char(155) || char(8238) || char(917569) || '\\é' AS a",
		TABLE_JSON, 0, "[\n {\"a\": \"\\u007f\\u009b\\u202e\\udb40\\udc41\\\\é\"}\n]");
	EXPECT("SELECT CAST(x'620063' AS TEXT) AS a, CAST(x'eda080' AS TEXT) AS b", TABLE_JSON, 0,
		"[\n {\"a\": \"b\\u0000c\", \"b\": \"\\ufffd\\ufffd\\ufffd\"}\n]");
	EXPECT("SELECT x'00ff0a' AS a, 9e999 AS b, -9e999 AS c, 9223372036854775807 AS d, 1e300 AS "
	       "e",
		TABLE_JSON, 0,
		"[\n {\"a\": \"00ff0a\", \"b\": null, \"c\": null, \"d\": 9223372036854775807, "
		"\"e\": 1e+300}\n]");
	EXPECT("SELECT 1 AS a, 2 AS a, 3 AS a, 4 AS a_2", TABLE_JSON, 0,
		"[\n {\"a\": 1, \"a_2\": 2, \"a_3\": 3, \"a_2_2\": 4}\n]");
}

static void a_blob_is_hexadecimal_everywhere(void)
{
	EXPECT("SELECT x'00ff0a' AS a", TABLE_PLAIN, 0, "     a\n00ff0a\n");
	EXPECT("SELECT x'00ff0a' AS a, x'' AS b", TABLE_CSV, 0, "a,b\n00ff0a,\n");
}

static void a_spreadsheet_gets_no_formulas(void)
{
	EXPECT("SELECT '=1+1' AS \"=a\", '+b' AS b, '-c' AS c, '@d' AS d, char(9) || 'e' AS e, "
	       "char(13) || 'f' AS f",
		TABLE_SPREADSHEET, 0, "'=a,b,c,d,e,f\n'=1+1,'+b,'-c,'@d,'\te,\\rf\n");
	EXPECT("SELECT '=a,\"b\"' AS a, 'b=' AS b, '' AS c, '-e5' AS d, '--1' AS e",
		TABLE_SPREADSHEET, 0, "a,b,c,d,e\n\"'=a,\"\"b\"\"\",b=,,'-e5,'--1\n");
	EXPECT("SELECT -5 AS a, -0.5 AS b, '-5' AS c, '+1.5e-3' AS d, '-inf' AS e",
		TABLE_SPREADSHEET, 0, "a,b,c,d,e\n-5,-0.5,-5,+1.5e-3,'-inf\n");
	EXPECT("SELECT '=1+1' AS a", TABLE_CSV, 0, "a\n=1+1\n");
}

static const struct unit_test tests[] = { { "durations and sizes get a unit that suits them",
						  durations_and_sizes_get_a_unit_that_suits_them },
	{ "a column's name tells its unit", a_column_s_name_tells_its_unit },
	{ "machines get every number in full", machines_get_every_number_in_full },
	{ "text is shortened to the width and numbers never",
		text_is_shortened_to_the_width_and_numbers_never },
	{ "a last column without values is left out of text",
		a_last_column_without_values_is_left_out_of_text },
	{ "no rows print no titles but in a query", no_rows_print_no_titles_but_in_a_query },
	{ "no name reaches the terminal as a command", no_name_reaches_the_terminal_as_a_command },
	{ "a name is cut between its characters", a_name_is_cut_between_its_characters },
	{ "a wide character takes two columns", a_wide_character_takes_two_columns },
	{ "JSON is valid whatever the names are", json_is_valid_whatever_the_names_are },
	{ "a blob is hexadecimal everywhere", a_blob_is_hexadecimal_everywhere },
	{ "a spreadsheet gets no formulas", a_spreadsheet_gets_no_formulas }, { NULL, NULL } };

int main(void)
{
	return unit_main("table", tests);
}
