/* SPDX-License-Identifier: BSD-3-Clause */
/* test_report_hang.c: why calls never return: the report says only what is certain. */
#include <config.h>

#include "analysis/report/report.h"
#include "analysis/report/sentences.h"
#include "analysis/text/sql_functions.h"
#include "layouts.h"
#include "tests/unit/unit.h"

/*
 * What report_prepare() has made before, as far as it is read. All ranks have ended, inside calls,
 * if at all.
 */
static const char tables_sql[] =
	"CREATE TABLE at_end (rank INTEGER PRIMARY KEY, runs, calls, call, callsite, peer, kind, "
	"tag);"
	"CREATE TABLE open_call (rank, thread, call, callsite, ns);"
	"CREATE TABLE match_summary (rank, kind, reason, ops);"
	"CREATE TABLE pending (rank, op_id, kind, call, peer, tag, comm, in_call, bytes, cancelled "
	"DEFAULT 0);"
	"CREATE TABLE in_call (rank, op_id, not_there, tag, comm);"
	"CREATE TABLE wrong (rank INTEGER, op_id INTEGER, error, sends, not_there, comm_name, "
	"comm_number, members, PRIMARY KEY (rank, op_id));"
	"CREATE TABLE cycle (nth INTEGER PRIMARY KEY, rank, call, awaited, kind, peer, tag, seq, "
	"comm_name, comm_number, missing, steps, others);"
	"CREATE TABLE misfit (rank INTEGER, op_id INTEGER, differs, from_rank, from_call, "
	"from_place, from_tag, from_comm, from_bytes, PRIMARY KEY (rank, op_id));"
	"CREATE TABLE op_row (id INTEGER PRIMARY KEY, code, callsite, comm, peer, tag, bytes, "
	"span);"
	"CREATE TABLE alone_row (id INTEGER PRIMARY KEY);"
	"CREATE TABLE pending_op_row (id INTEGER PRIMARY KEY);"
	"CREATE TABLE match_row (id INTEGER PRIMARY KEY, send, recv);"
	"CREATE TABLE match_info (key, value);"
	"CREATE TABLE call_cell (rank, call);"
	"CREATE TABLE coll_row (id INTEGER PRIMARY KEY, code, comm, seq);"
	"CREATE TABLE in_call_row (id INTEGER PRIMARY KEY, comm, seq);"
	"CREATE TABLE comm_row (rank, comm, uid, size, remote_size, name, PRIMARY KEY (rank, "
	"comm));"
	"CREATE TABLE call_name (id INTEGER PRIMARY KEY, name);"
	"CREATE TABLE run (rank, key, value);"
	"CREATE TABLE site (rank, callsite, place);"
	"INSERT INTO call_name VALUES (7, 'MPI_Send');"
	/* as include/layouts.def makes them */
	/* clang-format off */
	"CREATE VIEW op_row_fields AS SELECT id, " SQL_OP_KEY_RANK("id") " AS rank, "
	SQL_OP_KEY_N("id") " AS op_id, " SQL_OP_CODE_CALL("code") " AS call_id, "
	SQL_OP_CODE_KIND("code") " = 1 AS is_send, (SELECT name FROM call_name WHERE id = "
	SQL_OP_CODE_CALL("code") ") AS call, " SQL_OP_CODE_ANY_SOURCE("code") " AS any_source, "
	SQL_OP_CODE_ANY_TAG("code") " AS any_tag, "
	SQL_OP_CODE_COMM_PEER("code") " AS other_world, "
	SQL_COMM_THREAD_COMM("comm") " AS comm, callsite, peer, tag, bytes, span FROM op_row;"
	"CREATE VIEW coll_row_fields AS SELECT id, " SQL_COLL_CODE_CALL("code") " AS call_id, "
	SQL_COMM_THREAD_COMM("comm") " AS comm, seq FROM coll_row;";
/* clang-format on */

#define PENDING "INSERT INTO pending (rank, op_id, kind, call, peer, tag, comm, in_call, bytes)"
#define IN_WAITALL(rank)                                                                           \
	"INSERT INTO at_end VALUES (" #rank ", 0, 1, 'MPI_Waitall', 1, NULL, 'call', NULL);"
#define OUTSIDE(rank) "INSERT INTO at_end VALUES (" #rank ", 0, 0, NULL, NULL, NULL, NULL, NULL);"
#define IN_RECV(rank, peer, tag)                                                                   \
	"INSERT INTO at_end VALUES (" #rank ", 0, 1, 'MPI_Recv', 1, " #peer ", 'recv', " #tag      \
	");" PENDING " VALUES (" #rank ", 1, 'recv', 'MPI_Recv', " #peer ", " #tag ", 1, 1, 100);"
#define POSTED(rank, op, peer)                                                                     \
	PENDING " VALUES (" #rank ", " #op ", 'recv', 'MPI_Irecv', " #peer ", 9, 1, 0, 0);"
/* In a collective of the world. */
#define JOINS(rank, seq, name, root)                                                               \
	"INSERT INTO at_end VALUES (" #rank ", 0, 1, '" name "', 1, " #root                        \
	", 'collective', NULL);" PENDING " VALUES (" #rank ", " #seq ", 'collective', '" name      \
	"', " #root ", NULL, 1, 1, NULL);"                                                         \
	"INSERT INTO in_call_row VALUES (" #rank " << 40, 1, " #seq ");"
/* In MPI_Wait, for a nonblocking one. */
#define AWAITS(rank, seq, name)                                                                    \
	"INSERT INTO at_end VALUES (" #rank ", 0, 1, 'MPI_Wait', 1, NULL, 'call', NULL);" PENDING  \
	" VALUES (" #rank ", " #seq ", 'collective', '" name "', NULL, NULL, 1, 0, NULL);"         \
	"INSERT INTO coll_row VALUES ((" #rank " << 40) + 1, 7, 1, " #seq ");"
/* It has begun that one before. */
#define BEGAN(rank, row, seq)                                                                      \
	"INSERT INTO coll_row VALUES ((" #rank " << 40) + " #row ", 7, 1, " #seq ");"
/* Behind the others: so many ranks in one communicator, and nothing pending that was matched. */
#define WORLD(ranks)                                                                               \
	"INSERT INTO comm_row WITH RECURSIVE n(rank) AS (SELECT 0 UNION ALL SELECT rank + 1 FROM " \
	"n WHERE rank + 1 < " #ranks ")"                                                           \
	" SELECT rank, 1, 4711, " #ranks ", NULL, 'world' FROM n;"                                 \
	"INSERT INTO match_summary SELECT 0, 'recv', 'pending', count(*) FROM pending WHERE kind " \
	"IN ('send', 'recv') AND NOT cancelled"
/* It sent, and nobody received that. */
#define SENT(rank, peer, tag)                                                                      \
	"INSERT INTO op_row VALUES ((" #rank " << 40) + 5, 7 + (1 << 10), 1, 1, " #peer ", " #tag  \
	", 8, 0);"                                                                                 \
	"INSERT INTO alone_row VALUES ((" #rank " << 40) + 5);"

/*
 * Rank 1 sent so much, which rank 0's receive is for: it has room for so much, and posted it (0) or
 * is in it (NULL).
 */
#define FOR_IT(bytes, room, span)                                                                  \
	"INSERT INTO op_row VALUES ((1 << 40) + 5, 7 + (1 << 10), 1, 1, 0, 5, " #bytes             \
	", 0), (1, 7 + (2 << 10), 1, 1, 1, 5, " #room ", " #span ");"                              \
	"INSERT INTO pending_op_row VALUES (1);"                                                   \
	"INSERT INTO match_row VALUES (1, (1 << 40) + 5, 1);"                                      \
	"INSERT INTO match_summary VALUES (0, 'recv', 'pending', -1);"

/* Is `text` said of a run with these rows? NULL: nothing. */
static void told(const char *rows, struct question question, const char *text)
{
	struct facts facts;
	struct text said = { 0 };
	sqlite3 *db;

	CU_ASSERT_FATAL(sqlite3_open(":memory:", &db) == SQLITE_OK && sql_functions_add(db) == 0);
	CU_ASSERT_FATAL(sqlite3_exec(db, tables_sql, NULL, NULL, NULL) == SQLITE_OK);
	CU_ASSERT_FATAL(sqlite3_exec(db, rows, NULL, NULL, NULL) == SQLITE_OK);
	CU_ASSERT_FATAL(report_prepare_hang(db, true) == SQLITE_OK);
	CU_ASSERT_FATAL(facts_ask(db, &question, 0, false, &facts) == 0);
	for (int64_t i = 0; i < facts.nrows; i++) {
		const struct fact fact = facts_at(&facts, i);

		question.say[0](&said, &fact);
	}
	CU_ASSERT_STRING_EQUAL(said.at ? said.at : "", text ? text : "");
	text_release(&said);
	facts_release(&facts);
	sqlite3_close(db);
}

#define CYCLE                                                                                      \
	(struct question)                                                                          \
	{                                                                                          \
		.sql = "SELECT *, NOT EXISTS (SELECT 1 FROM cycle WHERE kind IS NOT 'send') "      \
		       "AS sends_alone FROM cycle ORDER BY nth",                                   \
		.say = { say_cycle }                                                               \
	}
#define WAITING_FOR_EACH_OTHER " 2 ranks wait for each other in a ring. "
/* What the report says why an operation is pending. */
#define WHY(table)                                                                                 \
	(struct question)                                                                          \
	{                                                                                          \
		.sql = "SELECT i.*, error, sends, w.not_there, members, comm_name, comm_number, "  \
		       "differs, from_rank, from_call, from_place, from_tag, from_comm, "          \
		       "from_bytes FROM " table,                                                   \
		.say = { say_pending_why }                                                         \
	}
#define MISFIT                                                                                     \
	WHY("(SELECT NULL AS tag) i LEFT JOIN wrong w ON w.rank = 0 JOIN misfit m ON m.rank = 0")

static void receives_in_a_circle(void)
{
	told(IN_RECV(0, 1, 5) IN_RECV(1, 2, 5) IN_RECV(2, 1, 5) WORLD(3), CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 1 waits in MPI_Recv from rank 2, tag 5. Rank 2 waits in MPI_Recv "
		"from rank 1, tag 5. 1 other rank waits, too.");
	told(IN_RECV(0, 1, 5) IN_RECV(1, 2, 5) OUTSIDE(2) WORLD(3), CYCLE, NULL);
}

static void requests_in_a_circle(void)
{
	told(IN_WAITALL(0) POSTED(0, 1, 1) POSTED(0, 2, 2) IN_WAITALL(1) POSTED(1, 1, 0)
			IN_RECV(2, 0, 5) WORLD(3),
		CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Waitall for MPI_Irecv from rank 1, tag 9. Rank 1 "
		"waits in MPI_Waitall for MPI_Irecv from rank 0, tag 9. "
		"1 other rank waits, too.");
}

/* Ranks 0 and 1 keep a receive from each other posted, and both wait for rank 2, which computes. */
static void requests_that_the_call_may_not_have(void)
{
	told(IN_WAITALL(0) POSTED(0, 1, 1) POSTED(0, 2, 2) IN_WAITALL(1) POSTED(1, 1, 0)
			POSTED(1, 2, 2) OUTSIDE(2) WORLD(3),
		CYCLE, NULL);
	told(IN_WAITALL(0) POSTED(0, 1, 1) POSTED(0, 2, NULL) IN_WAITALL(1) POSTED(1, 1, 0)
			WORLD(3),
		CYCLE, NULL);
}

/* In a time that grows with the ranks: all go to two in the middle, who wait for each other. */
static void circles_among_many_ranks(void)
{
	told("INSERT INTO at_end WITH RECURSIVE n(rank) AS (SELECT 0 UNION ALL SELECT rank + 1 "
	     "FROM n WHERE rank < 9999) SELECT rank, 0, 1, 'MPI_Recv', 1, iif(rank < 5001, rank + "
	     "1, rank - 1), 'recv', 5 FROM n;" WORLD(10000),
		CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 5000 waits in MPI_Recv from rank 5001, tag 5. Rank 5001 waits in "
		"MPI_Recv from rank 5000, tag 5. "
		"9,998 other ranks wait, too.");
}

/* The first six of sixteen are named. Two more ranks wait for each other, and a third for one of
 * those. */
static void rings_of_many_ranks(void)
{
	told("INSERT INTO at_end WITH RECURSIVE n(rank) AS (SELECT 0 UNION ALL SELECT rank + 1 "
	     "FROM n WHERE rank < 15) SELECT rank, 0, 1, 'MPI_Send', 1, (rank + 1) % 16, 'send', 5 "
	     "FROM n;" IN_RECV(16, 17, 5) IN_RECV(17, 16, 5) IN_RECV(18, 16, 5) WORLD(19),
		CYCLE,
		" 16 ranks wait for each other in a ring. Rank 0 waits in MPI_Send to rank 1, tag "
		"5. Rank 1 waits in MPI_Send to rank 2, tag 5. Rank 2 waits in MPI_Send to rank 3, "
		"tag 5. Rank 3 waits in MPI_Send to rank 4, tag 5. Rank 4 waits in MPI_Send to "
		"rank "
		"5, tag 5. Rank 5 waits in MPI_Send to rank 6, tag 5. 10 more ranks are "
		"in the ring. 3 other ranks wait, too. MPI_Sendrecv, or MPI_Irecv before "
		"the send, avoids this.");
}

static void collectives_in_a_circle(void)
{
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 2)
			JOINS(2, 3, "MPI_Barrier", NULL) WORLD(3),
		CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Barrier #3 of world, not begun by rank 1. Rank 1 "
		"waits in MPI_Recv from rank 0, tag 5. "
		"1 other rank waits, too.");
	told(AWAITS(0, 3, "MPI_Iallreduce") IN_RECV(1, 0, 5) WORLD(2), CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Wait for MPI_Iallreduce #3 of world, not begun by "
		"rank 1. Rank 1 waits in MPI_Recv from rank 0, tag 5.");
	/* rank 1 waits for one that computes, rank 2 for rank 0 */
	told(JOINS(0, 3, "MPI_Allreduce", NULL) IN_RECV(1, 3, 5) IN_RECV(2, 0, 5) OUTSIDE(3)
			WORLD(4),
		CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Allreduce #3 of world, not begun by rank 2. Rank "
		"2 waits in MPI_Recv from rank 0, tag 5.");
	told(JOINS(0, 3, "MPI_Bcast", 1) IN_RECV(1, 0, 5) WORLD(2), CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Bcast #3 of world, not begun by rank 1. Rank 1 "
		"waits in MPI_Recv from rank 0, tag 5.");
}

static void collectives_that_may_go_on(void)
{
	/* begun, later ones as well; rows of it may have been dropped */
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 3) WORLD(2), CYCLE,
		NULL);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 4) BEGAN(1, 2, 2)
			WORLD(2),
		CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(
		     1, 0, 5) "INSERT INTO run VALUES (1, 'dropped_collective', 2);" WORLD(2),
		CYCLE, NULL);
	/* so may those that were lost on the way to the file */
	told(JOINS(0, 3, "MPI_Barrier", NULL)
			IN_RECV(1, 0, 5) "INSERT INTO run VALUES (1, 'lost_bytes', 4096);" WORLD(2),
		CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(
		     1, 0, 5) "INSERT INTO run VALUES (1, 'missing_chunks', 1);" WORLD(2),
		CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Barrier", NULL)
			IN_RECV(1, 0, 5) "INSERT INTO run VALUES (1, 'ring_missing', 1);" WORLD(2),
		CYCLE, NULL);
	/* what is missing does not wait, or waits for somebody who does not */
	told(JOINS(0, 3, "MPI_Barrier", NULL) OUTSIDE(1) WORLD(2), CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 2, 5) OUTSIDE(2) WORLD(3), CYCLE, NULL);
	/* the data come from rank 2, or need not come from rank 1 */
	told(JOINS(0, 3, "MPI_Bcast", 2) IN_RECV(1, 0, 5) OUTSIDE(2) WORLD(3), CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Reduce", 2) IN_RECV(1, 0, 5) OUTSIDE(2) WORLD(3), CYCLE, NULL);
	told(JOINS(0, 3, "MPI_Scan", NULL) IN_RECV(1, 0, 5) WORLD(2), CYCLE, NULL);
}

/*
 * In a time that grows with the ranks: half of them are in a barrier, the others receive from
 * those.
 */
static void collectives_of_many_ranks(void)
{
	told("INSERT INTO at_end WITH RECURSIVE n(rank) AS (SELECT 0 UNION ALL SELECT rank + 1 "
	     "FROM n WHERE rank < 4999) SELECT rank, 0, 1, iif(rank % 2, 'MPI_Recv', "
	     "'MPI_Barrier'), 1, iif(rank % 2, rank - 1, NULL),  iif(rank % 2, 'recv', "
	     "'collective'), iif(rank % 2, 5, NULL) FROM n;"
	     "INSERT INTO in_call_row SELECT rank << 40, 1, 3 FROM at_end WHERE kind = "
	     "'collective';" PENDING
	     " SELECT rank, 3, kind, call, peer, tag, 1, 1, NULL FROM at_end;"
	     "CREATE INDEX pending_of ON pending (rank);" WORLD(5000),
		CYCLE,
		WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Barrier #3 of world, not begun by rank 1. Rank 1 "
		"waits in MPI_Recv from rank 0, tag 5. "
		"4,998 other ranks wait, too.");
}

/* Of another communicator, behind which the world's last one may lie, or lies. */
#define OTHERS(rank, rows)                                                                         \
	"INSERT INTO coll_row WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "     \
	"WHERE i < " #rows ")"                                                                     \
	" SELECT (" #rank " << 40) + 100 + i, 7, 2, i FROM n;"

static void collectives_among_many_rows(void)
{
	const char *text = WAITING_FOR_EACH_OTHER
		"Rank 0 waits in MPI_Barrier #3 of world, not begun by rank 1. Rank 1 "
		"waits in MPI_Recv from rank 0, tag 5.";

	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) OTHERS(1, 1000) WORLD(2), CYCLE,
		text);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 2) OTHERS(1, 1000)
			WORLD(2),
		CYCLE, text);
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 3) OTHERS(1, 1000)
			WORLD(2),
		CYCLE, NULL);
	/* too many to be looked at */
	told(JOINS(0, 3, "MPI_Barrier", NULL) IN_RECV(1, 0, 5) BEGAN(1, 1, 2) OTHERS(1, 100000)
			WORLD(2),
		CYCLE, NULL);
}

static void messages_with_another_tag(void)
{
	told(IN_RECV(0, 1, 5) IN_RECV(1, 0, 6) SENT(1, 0, 4) WORLD(2), MISFIT,
		"while rank 1 sent tag 4 (MPI_Send at an unknown place)");
	told(IN_RECV(0, 1, 5) OUTSIDE(1) SENT(1, 0, 4) WORLD(2), MISFIT, NULL);
}

static void receives_from_any_rank(void)
{
	told(IN_RECV(0, NULL, 5) IN_RECV(1, 0, 6) SENT(1, 0, 4) WORLD(2), MISFIT,
		"while rank 1 sent tag 4 (MPI_Send at an unknown place)");
	/* rank 2 may still send what fits */
	told(IN_RECV(0, NULL, 5) IN_RECV(1, 0, 6) OUTSIDE(2) SENT(1, 0, 4) WORLD(3), MISFIT, NULL);
}

static void messages_of_another_rank(void)
{
	told(IN_RECV(0, 1, 5) IN_RECV(1, 0, 6) IN_RECV(2, 0, 6) SENT(2, 0, 5) WORLD(3), MISFIT,
		"while rank 2 sent that (MPI_Send at an unknown place)");
	/* a gather, rank by rank: rank 1 computes, and nothing is wrong with what rank 2 sent */
	told(IN_RECV(0, 1, 5) OUTSIDE(1) IN_RECV(2, 0, 6) SENT(2, 0, 5) WORLD(3), MISFIT, NULL);
}

#define LONGER "while rank 1 sent 101 B (MPI_Send at an unknown place), more than there is room for"

static void messages_that_are_too_long(void)
{
	told(IN_RECV(0, 1, 5) OUTSIDE(1) FOR_IT(101, 100, NULL) WORLD(2), MISFIT, LONGER);
	told(IN_RECV(0, 1, 5) OUTSIDE(1) FOR_IT(100, 100, NULL) WORLD(2), MISFIT, NULL);
	told(IN_RECV(0, 1, 5) OUTSIDE(1) FOR_IT(101, 0, 0) WORLD(2), MISFIT, LONGER);
	/* its datatype was not known */
	told(IN_RECV(0, 1, 5) OUTSIDE(1) FOR_IT(101, 0, NULL) WORLD(2), MISFIT, NULL);
}

static void messages_that_may_be_for_others(void)
{
	static const char *const reasons[] = { "INSERT INTO run VALUES (0, 'dropped_ops', '2');",
		"INSERT INTO run VALUES (1, 'dropped_ops', '2');",
		"INSERT INTO run VALUES (1, 'missing_chunks', '1');",
		"INSERT INTO run VALUES (0, 'unrecorded_ns', '1000');",
		"INSERT INTO match_info VALUES ('order_unsure', '1');",
		"INSERT INTO call_name VALUES (8, 'MPI_Mprobe'); INSERT INTO call_cell VALUES (0, "
		"8);",
		"INSERT INTO call_name VALUES (8, 'MPI_Cancel'); INSERT INTO call_cell VALUES (0, "
		"8);",
		/* from any rank, with any tag */
		"INSERT INTO op_row VALUES (9, 2 << 10 | 1 << 25, 1, 1, NULL, 5, 8, 0); INSERT "
		"INTO pending_op_row VALUES (9);",
		"INSERT INTO op_row VALUES (9, 2 << 10 | 1 << 26, 1, 1, NULL, 5, 8, 0); INSERT "
		"INTO pending_op_row VALUES (9);",
		/* it runs, and was looked at at another time */
		"UPDATE at_end SET runs = 1 WHERE rank = 1;" };
	char rows[4096];

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		snprintf(rows, sizeof(rows), "%s%s%s",
			IN_RECV(0, 1, 5) OUTSIDE(1) FOR_IT(101, 100, NULL), reasons[i], WORLD(2));
		told(rows, MISFIT, NULL);
	}
}

/* The op in the call of a rank, as its row has it. */
#define SENDS (1 << 10)
#define RECEIVES (2 << 10)
#define ANY_SOURCE (1 << 25)
#define CALL(rank, what, not_there, tag)                                                           \
	"INSERT INTO in_call VALUES (" #rank ", 1, " #not_there ", " #tag ", 1);"                  \
	"INSERT OR IGNORE INTO op_row (id, code) VALUES ((" #rank                                  \
	" << 40) + 1, " AS_TEXT(what) ");"
#define AS_TEXT(x) #x
#define IS_ERROR(text) text ": an error that ends the job"

static void calls_that_are_errors(void)
{
	const struct question wrong =
		WHY("wrong w JOIN in_call i USING (rank) LEFT JOIN misfit m ON m.rank = w.rank");

	told(CALL(0, SENDS, 99, 5) WORLD(2), wrong, IS_ERROR("to rank 99, where world has 2"));
	told(CALL(0, RECEIVES, 2, 5) WORLD(2), wrong, IS_ERROR("from rank 2, where world has 2"));
	told(CALL(0, RECEIVES, -1, 5) WORLD(2), wrong, IS_ERROR("from a rank below 0"));
	told(CALL(0, RECEIVES, NULL, -7) WORLD(2), wrong,
		IS_ERROR("with tag -7, which no message has"));
	told(CALL(0, SENDS, NULL, -1) WORLD(2), wrong,
		IS_ERROR("with tag -1, which no message has"));
	told(CALL(0, SENDS | ANY_SOURCE, NULL, 5) WORLD(2), wrong, IS_ERROR("to MPI_ANY_SOURCE"));
	/* a probe is no operation */
	told("INSERT INTO in_call VALUES (0, NULL, 7, 5, 1);" WORLD(2), wrong,
		IS_ERROR("from rank 7, where world has 2"));
	/* any source, any tag, and what is in order */
	told("INSERT INTO in_call VALUES (0, NULL, NULL, -1, 1), (1, NULL, NULL, NULL, "
	     "NULL);" WORLD(2),
		wrong, NULL);
	told(CALL(0, RECEIVES | ANY_SOURCE, NULL, -1) WORLD(2), wrong, NULL);
	told(CALL(0, SENDS, NULL, 0) WORLD(2), wrong, NULL);
	/* who is in such a call waits for nobody */
	told(IN_RECV(0, 1, -7) IN_RECV(1, 0, 5) CALL(0, RECEIVES, NULL, -7)
			CALL(1, RECEIVES, NULL, 5) WORLD(2),
		CYCLE, NULL);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "ranks that receive from each other are a circle", receives_in_a_circle },
		{ "so are those in MPI_Waitall, where all requests lead into it",
			requests_in_a_circle },
		{ "a request that the call may not have is no reason",
			requests_that_the_call_may_not_have },
		{ "a circle is found among any number of ranks", circles_among_many_ranks },
		{ "a ring of many ranks is named in its beginning", rings_of_many_ranks },
		{ "a collective waits for who has not begun it, also in MPI_Wait",
			collectives_in_a_circle },
		{ "but only where that is certain", collectives_that_may_go_on },
		{ "a circle through collectives is found among any number of ranks",
			collectives_of_many_ranks },
		{ "who began none lately is looked for among so many rows",
			collectives_among_many_rows },
		{ "a message with another tag is named where its sender is stuck",
			messages_with_another_tag },
		{ "for receives from any rank where nobody can send", receives_from_any_rank },
		{ "one of another rank where the awaited one is stuck", messages_of_another_rank },
		{ "a message that is longer than its receive is named",
			messages_that_are_too_long },
		{ "but not where it may be another one's", messages_that_may_be_for_others },
		{ "calls that the library refuses are told", calls_that_are_errors }, { NULL, NULL }
	};

	return unit_main("report_hang", tests);
}
