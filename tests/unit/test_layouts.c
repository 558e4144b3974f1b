/* SPDX-License-Identifier: BSD-3-Clause */
/* test_layouts.c: the C functions and the views made from layouts.def agree about every bit. */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>

#include "analysis/format/db/db.h"
#include "layouts.h"
#include "record.h"
#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

static sqlite3 *db;

static void execute(const char *format, int64_t value)
{
	char sql[200];

	snprintf(sql, sizeof(sql), format, (long long)value);
	CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static int64_t number(const char *sql)
{
	return scratch_sql(db, sql);
}

static void a_view_takes_apart_what_functions_put_together(void)
{
	const int64_t code = op_code_put_call(1000) | op_code_put_kind(KIND_RECV) |
		op_code_put_form(FORM_PERSISTENT) | op_code_put_protocol(PROTOCOL_RENDEZVOUS) |
		op_code_put_cause(CAUSE_UNEXPLAINED) | op_code_put_waited(1) |
		op_code_put_tier(TIER_NETWORK) | op_code_put_flags(OP_FIRST | OP_SENDRECV);

	execute("INSERT INTO op_row (id, code) VALUES (%lld, 0)",
		op_key_put_rank(70000) | op_key_put_n(5));
	execute("UPDATE op_row SET code = %lld", code);
	execute("UPDATE op_row SET comm = %lld",
		comm_thread_put_thread(9) | comm_thread_put_comm(0xffffff));
	execute("UPDATE op_row SET done = %lld",
		done_put_call(1023) | done_put_callsite(UINT32_MAX));
	CU_ASSERT_EQUAL(number("SELECT rank FROM op_row_fields"), 70000);
	CU_ASSERT_EQUAL(number("SELECT op_id FROM op_row_fields"), 5);
	CU_ASSERT_EQUAL(number("SELECT call_id FROM op_row_fields"), 1000);
	CU_ASSERT_EQUAL(number("SELECT kind_id FROM op_row_fields"), KIND_RECV);
	CU_ASSERT_EQUAL(number("SELECT mode_id FROM op_row_fields"), MODE_STANDARD);
	CU_ASSERT_EQUAL(number("SELECT form_id FROM op_row_fields"), FORM_PERSISTENT);
	CU_ASSERT_EQUAL(number("SELECT protocol_id FROM op_row_fields"), PROTOCOL_RENDEZVOUS);
	CU_ASSERT_EQUAL(number("SELECT cause_id FROM op_row_fields"), CAUSE_UNEXPLAINED);
	CU_ASSERT_EQUAL(number("SELECT waited FROM op_row_fields"), 1);
	CU_ASSERT_EQUAL(number("SELECT tier_id FROM op_row_fields"), TIER_NETWORK);
	CU_ASSERT_EQUAL(number("SELECT first + sendrecv FROM op_row_fields"), 2);
	CU_ASSERT_EQUAL(number("SELECT any_source + failed + other_world FROM op_row_fields"), 0);
	CU_ASSERT_EQUAL(number("SELECT comm FROM op_row_fields"), 0xffffff);
	CU_ASSERT_EQUAL(number("SELECT thread FROM op_row_fields"), 9);
	CU_ASSERT_EQUAL(number("SELECT done_call_id FROM op_row_fields"), 1023);
	CU_ASSERT_EQUAL(number("SELECT done_callsite FROM op_row_fields"), UINT32_MAX);
}

static void functions_take_apart_what_they_put_together(void)
{
	const int64_t code =
		op_code_put_kind_mode(KIND_MODE(KIND_SEND, MODE_READY, FORM_PARTITIONED)) |
		op_code_put_flags(OP_PROC_NULL);

	CU_ASSERT_EQUAL(op_code_kind(code), KIND_SEND);
	CU_ASSERT_EQUAL(op_code_mode(code), MODE_READY);
	CU_ASSERT_EQUAL(op_code_form(code), FORM_PARTITIONED);
	CU_ASSERT_EQUAL(op_code_proc_null(code), 1);
	CU_ASSERT_EQUAL(op_code_flags(code), OP_PROC_NULL);
	CU_ASSERT_EQUAL(op_code_put_call(0), 0);
	CU_ASSERT_EQUAL(op_key_rank(op_key_put_rank(3) | op_key_put_n(~0ULL)), 3);
}

static void a_field_that_reaches_to_the_sign_is_signed_in_both(void)
{
	execute("DELETE FROM op_row WHERE id <> %lld", 0);
	execute("INSERT INTO op_row (id) VALUES (%lld)", -1);
	CU_ASSERT_EQUAL(op_key_rank(-1), number("SELECT rank FROM op_row_fields"));
	CU_ASSERT_EQUAL(op_key_rank(-1), -1);
	CU_ASSERT_EQUAL(site_rank(-1), -1);
}

static void a_number_that_is_too_large_leaves_its_neighbours_alone(void)
{
	CU_ASSERT_EQUAL(op_code_put_call(1024), 0);
	CU_ASSERT_EQUAL(op_key_put_n(1ULL << 40), 0);
	CU_ASSERT_EQUAL(op_code_put_kind_mode(64), 0);
}

static void a_field_that_depends_on_a_flag_is_null_without_it(void)
{
	const int64_t code = slot_code_put_call(3) | slot_code_put_cause(CAUSE_CONTENTION);

	execute("INSERT INTO wait_slot_cell VALUES (0, %lld, 0, 1)", code);
	CU_ASSERT_EQUAL(number("SELECT cause_id FROM wait_slot_cell_fields"), CAUSE_CONTENTION);
	CU_ASSERT_EQUAL(number("SELECT state_id IS NULL FROM wait_slot_cell_fields"), 1);
	execute("UPDATE wait_slot_cell SET code = %lld", code | slot_code_put_collective(1));
	CU_ASSERT_EQUAL(number("SELECT cause_id IS NULL FROM wait_slot_cell_fields"), 1);
	CU_ASSERT_EQUAL(number("SELECT state_id FROM wait_slot_cell_fields"), CAUSE_CONTENTION);
}

static void columns_have_the_numbers_of_the_tables(void)
{
	CU_ASSERT_EQUAL(number("SELECT cid FROM pragma_table_info('op_row') WHERE name = 'poll'"),
		OP_ROW_POLL);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pragma_table_info('op_row')"), OP_ROW_COLUMNS);
	CU_ASSERT_EQUAL(number("SELECT count(*) FROM pragma_table_info('io_row')"), IO_ROW_COLUMNS);
	CU_ASSERT_EQUAL(
		number("SELECT count(*) FROM pragma_table_info('exact_cell')"), EXACT_CELL_COLUMNS);
	CU_ASSERT_EQUAL(number("SELECT cid FROM pragma_table_info('io_row') WHERE name = 'done'"),
		IO_ROW_DONE);
}

static const struct unit_test tests[] = { { "a view takes apart what functions put together",
						  a_view_takes_apart_what_functions_put_together },
	{ "functions take apart what they put together",
		functions_take_apart_what_they_put_together },
	{ "a field that reaches to the sign is signed in both",
		a_field_that_reaches_to_the_sign_is_signed_in_both },
	{ "a number that is too large leaves its neighbours alone",
		a_number_that_is_too_large_leaves_its_neighbours_alone },
	{ "a field that depends on a flag is NULL without it",
		a_field_that_depends_on_a_flag_is_null_without_it },
	{ "columns have the numbers of the tables", columns_have_the_numbers_of_the_tables },
	{ NULL, NULL } };

int main(void)
{
	int failed = 1;

	if (sqlite3_open(":memory:", &db) == SQLITE_OK && db_make_schema(db, NULL) == 0)
		failed = unit_main("layouts", tests);
	sqlite3_close(db);
	return failed;
}
