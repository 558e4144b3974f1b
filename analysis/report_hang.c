/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_hang.c: why calls that have not returned never will.
 *
 *	wrong(rank, op_id, text)
 *	              an operation in a call that the library refuses, or a probe (op_id 0): an error that ends the job, if
 *	              the program has not asked for another handling
 *	cycle(text)   ranks that wait for each other
 *	misfit(rank, op_id, text)
 *	              a receive without a message, and a message without a receive that differs in one thing; or one whose
 *	              message is longer, which is such an error, too
 *	unlike(rank, comm, op_id, call, text)
 *	              a collective that others call by another name
 *	reached(uid, rank, comm, seq)
 *	              of communicators in which collectives are pending: the last one that a member has begun
 *
 * What is on its way may still come: the first two (but for longer messages) are told only where no pending op was
 * matched, and all of ranks that still run, whose records are read one after the other, only after five seconds.
 */
#include <config.h>

#include "report.h"

#define PLAIN_CALL(name) "replace(" name " || ' ', '_c ', ' ')"

/* Of so many rows of a member, the last ones, those of a communicator are looked for. */
#define ROWS_LOOKED_AT "16384"

/* Rows of the rank were lost, which may have been any; `dropped`: key of those that were too many. */
#define ROWS_LOST(of_rank, dropped) \
	"EXISTS (SELECT 1 FROM run d WHERE d.rank = " of_rank " AND (d.key GLOB '" dropped "' OR d.key IN ('lost_bytes'," \
	" 'missing_chunks', 'damaged_bytes', 'damaged_records', 'damaged_regions', 'ring_missing', 'spool_missing', 'stopped'))" \
	" AND CAST(d.value AS INTEGER) > 0)"

/*
 * -1: none; NULL: that is not known. A nonblocking one that took long has its row behind those of later ones, but
 * not far behind.
 */
#define ROWS_OF_MEMBER "o.id BETWEEN m.rank << 40 AND (m.rank << 40) + 0xffffffffff"
#define LAST_ROWS(n) "(SELECT comm, seq FROM coll_row o WHERE " ROWS_OF_MEMBER " ORDER BY o.id DESC LIMIT " n ")"
static const char reached_sql[] =
	"CREATE TEMP TABLE reached (uid INTEGER, rank INTEGER, comm INTEGER, seq INTEGER, PRIMARY KEY (uid, rank))"
	" WITHOUT ROWID;"
	"INSERT OR IGNORE INTO reached SELECT m.uid, m.rank, m.comm, iif(" ROWS_LOST("m.rank", "dropped_coll*") ", NULL, coalesce((SELECT max(seq) FROM"
	"   (SELECT * FROM (SELECT seq FROM " LAST_ROWS(ROWS_LOOKED_AT) " o WHERE o.comm & 0xffffff = m.comm LIMIT 1)"
	"    UNION ALL SELECT max(seq) FROM " LAST_ROWS("64") " o WHERE o.comm & 0xffffff = m.comm"
	"    UNION ALL SELECT max(seq) FROM in_call_row o WHERE " ROWS_OF_MEMBER " AND o.comm = m.comm)),"
	"   iif(EXISTS (SELECT 1 FROM coll_row o WHERE " ROWS_OF_MEMBER " LIMIT 1 OFFSET " ROWS_LOOKED_AT "), NULL, -1)))"
	"  FROM comm_row m WHERE m.uid IN (SELECT c.uid FROM pending p JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm"
	"   WHERE p.kind = 'collective');";

/* Without the forms: "mpi_allreduce". */
#define COLLECTIVE "trim(lower(replace(replace(" PLAIN_CALL("p.call") ", '_init ', ' '), 'MPI_I', 'MPI_')))"

/* Messages that are sent have a destination and a tag; -1 is asked for by receives alone: MPI_ANY_TAG. */
static const char wrong_sql[] =
	"INSERT OR IGNORE INTO wrong SELECT i.rank, coalesce(i.op_id, 0), coalesce("
	"  iif(not_there > 0, printf('%s rank %d, where %s has %d', iif(sends, 'to', 'from'), not_there, coalesce(nullif(c.name, ''),"
	"   'communicator ' || i.comm), coalesce(c.remote_size, c.size)), NULL),"
	"  iif(not_there < 0, iif(sends, 'to', 'from') || ' a rank below 0', NULL),"
	"  iif(sends AND any_source, 'to MPI_ANY_SOURCE', NULL),"
	"  iif(i.tag < -1 OR (sends AND i.tag < 0), printf('with tag %d, which no message has', i.tag), NULL))"
	"  || ': an error that ends the job' AS text"
	" FROM in_call i LEFT JOIN (SELECT id, code >> 10 & 3 = 1 AS sends, code >> 25 & 1 AS any_source FROM op_row) o"
	" ON o.id = (i.rank << 40) + i.op_id LEFT JOIN comm_row c ON c.rank = i.rank AND c.comm = i.comm WHERE text NOT NULL;";

/* How many of the messages' sides that are pending have found the other one. */
#define PENDING_MATCHED \
	"((SELECT count(*) FROM pending WHERE kind IN ('send', 'recv'))" \
	" - (SELECT coalesce(sum(ops), 0) FROM match_summary WHERE reason = 'pending'))"

/*
 * held: ranks that wait in their last call; stuck: where none of them has what it waits for.
 *
 * awaited: what a rank waits for in the one call that it is in. Which requests a call has is not recorded: of MPI_Waitall
 * it may be any of those that are pending. goes_on: ranks that wait, perhaps, for one that does not wait, and for
 * those. edge: of all others one peer each, that of the oldest request, and that peer has an edge as well. So who goes
 * from one to the next long enough goes round in a circle.
 *
 * joint: collectives that need data of members that is known: of all of them, or of the root. Of others, as MPI_Scan
 * and those that may have empty parts, nothing is told. They wait for every member that has not begun them. Of these
 * one is enough, missing_row: the first that does not go on where collectives are left aside.
 */
static const char joint_sql[] =
	"CREATE TEMP TABLE held AS SELECT * FROM at_end WHERE rank NOT IN (SELECT rank FROM wrong) AND (NOT runs"
	"  OR (SELECT max(ns) FROM open_call o WHERE o.rank = at_end.rank) >= 5000000000);"
	"CREATE TEMP TABLE stuck AS SELECT * FROM held WHERE " PENDING_MATCHED " = 0;"
	"CREATE TEMP TABLE joint AS SELECT p.rank, p.op_id, c.uid, p.in_call, iif(" COLLECTIVE " IN ('mpi_bcast', 'mpi_scatter'),"
	"   p.peer, NULL) AS root, printf('%s #%d of %s', p.call, p.op_id, coalesce(nullif(c.name, ''), 'communicator ' || p.comm))"
	"   AS text FROM stuck s JOIN pending p ON p.rank = s.rank JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm"
	"  WHERE p.kind = 'collective' AND c.uid NOT NULL AND c.remote_size IS NULL AND (" COLLECTIVE
	"   IN ('mpi_barrier', 'mpi_allreduce', 'mpi_allgather', 'mpi_alltoall', 'mpi_reduce_scatter_block')"
	"   OR (" COLLECTIVE " IN ('mpi_bcast', 'mpi_scatter') AND p.peer <> p.rank)"
	"   OR (" COLLECTIVE " IN ('mpi_reduce', 'mpi_gather') AND p.peer = p.rank));"
	"CREATE TEMP TABLE awaited AS SELECT rank, peer, 0 AS op_id, printf('rank %d in %s %s rank %d%s', rank, call,"
	"  iif(kind = 'send', 'to', 'from'), peer, coalesce(', tag ' || nullif(tag, -1), '')) AS text, NULL AS uid, NULL AS root FROM stuck"
	"  WHERE calls = 1 AND kind IN ('send', 'recv')"
	" UNION ALL SELECT rank, NULL, op_id, printf('rank %d in %s', rank, text), uid, root FROM joint WHERE in_call"
	"  AND rank IN (SELECT rank FROM stuck WHERE calls = 1)"
	" UNION ALL SELECT s.rank, iif(p.kind IN ('send', 'recv'), p.peer, NULL), p.op_id, coalesce("
	"  printf('rank %d in %s, for ', s.rank, s.call) || j.text,"
	"  printf('rank %d in %s, for %s %s rank %d%s', s.rank, s.call, p.call, iif(p.kind = 'send', 'to', 'from'), p.peer,"
	"   coalesce(', tag ' || nullif(max(p.tag, -1), -1), ''))), j.uid, j.root"
	"  FROM stuck s JOIN pending p ON p.rank = s.rank AND p.kind <> 'call' LEFT JOIN joint j ON j.rank = p.rank"
	"   AND j.op_id = p.op_id AND p.kind = 'collective' AND j.uid = (SELECT c.uid FROM comm_row c WHERE c.rank = p.rank"
	"   AND c.comm = p.comm)"
	"  WHERE s.calls = 1 AND (s.call = 'MPI_Waitall' OR (s.call = 'MPI_Wait' AND"
	"   (SELECT count(*) FROM pending q WHERE q.rank = s.rank AND q.kind <> 'call') = 1));"
	"CREATE TEMP TABLE waiter (rank INTEGER PRIMARY KEY);"
	"INSERT INTO waiter SELECT DISTINCT rank FROM awaited WHERE peer <> rank OR uid NOT NULL;"
	"CREATE TEMP TABLE alone_goes_on (rank INTEGER PRIMARY KEY);"
	"INSERT INTO alone_goes_on WITH RECURSIVE r(rank) AS (SELECT rank FROM awaited WHERE uid IS NULL AND (peer IS NULL"
	"   OR peer NOT IN (SELECT rank FROM waiter)) UNION SELECT a.rank FROM r JOIN awaited a ON a.peer = r.rank)"
	" SELECT rank FROM r;"
	"CREATE TEMP TABLE missing_row (uid INTEGER, seq INTEGER, rank INTEGER, PRIMARY KEY (uid, seq)) WITHOUT ROWID;"
	"INSERT INTO missing_row SELECT g.uid, g.op_id, min(m.rank) FROM (SELECT DISTINCT uid, op_id FROM awaited WHERE uid NOT NULL"
	"  AND root IS NULL) g JOIN reached m ON m.uid = g.uid AND m.seq < g.op_id WHERE m.rank IN (SELECT rank FROM waiter)"
	"  AND m.rank NOT IN (SELECT rank FROM alone_goes_on) GROUP BY 1, 2;"
	"UPDATE awaited SET peer = iif(root IS NULL, (SELECT m.rank FROM missing_row m WHERE m.uid = awaited.uid"
	"   AND m.seq = op_id), (SELECT m.rank FROM reached m WHERE m.uid = awaited.uid AND m.rank = root AND m.seq < op_id))"
	" WHERE uid NOT NULL;"
	"UPDATE awaited SET text = printf('%s, not begun by rank %d', text, peer) WHERE uid NOT NULL AND peer NOT NULL;";

static const char cycle_sql[] =
	"CREATE INDEX awaited_by ON awaited (peer, rank);"
	"CREATE TEMP TABLE goes_on (rank INTEGER PRIMARY KEY);"
	"INSERT INTO goes_on WITH RECURSIVE r(rank) AS (SELECT rank FROM awaited WHERE peer IS NULL"
	"   OR peer NOT IN (SELECT rank FROM waiter) UNION SELECT a.rank FROM r JOIN awaited a ON a.peer = r.rank)"
	" SELECT rank FROM r;"
	"CREATE TEMP TABLE edge (rank INTEGER PRIMARY KEY, peer INTEGER, text TEXT);"
	"INSERT INTO edge SELECT rank, peer, text FROM (SELECT rank, peer, text, min(op_id) FROM awaited"
	"  WHERE peer <> rank AND rank NOT IN (SELECT rank FROM goes_on) GROUP BY rank);"
	"CREATE TEMP TABLE circle AS WITH RECURSIVE walk(at, n) AS (SELECT min(rank), 0 FROM edge"
	"   UNION ALL SELECT peer, n + 1 FROM walk JOIN edge ON rank = at WHERE n < (SELECT count(*) FROM edge)),"
	"  ring(at) AS (SELECT at FROM (SELECT at, max(n) FROM walk) UNION SELECT peer FROM ring JOIN edge ON rank = at)"
	" SELECT min(at) AS start, count(*) AS steps FROM ring WHERE at NOT NULL HAVING steps > 0;"
	"INSERT INTO cycle WITH RECURSIVE member(at, n) AS (SELECT start, 1 FROM circle UNION ALL SELECT peer, n + 1"
	"   FROM member JOIN edge ON edge.rank = at, circle WHERE n < min(steps, 8))"
	" SELECT (SELECT group_concat(text, '; ') FROM (SELECT text FROM member JOIN edge ON edge.rank = at ORDER BY n))"
	"  || iif(steps > 8, printf('; ... and %d more', steps - 8), '') FROM circle;";

/*
 * silent: ranks that will send no more, since they are stuck themselves or at their end; quiet: communicators of such
 * ranks alone. lone: messages of silent ranks, which nobody receives. Of several the last one. While somebody who is
 * waited for may still send, nothing is wrong with what others sent.
 */
static const char misfit_sql[] =
	"CREATE TEMP TABLE silent (rank INTEGER PRIMARY KEY);"
	"INSERT INTO silent SELECT rank FROM stuck WHERE calls UNION SELECT rank FROM run WHERE key = 'clean_finalize' AND value;"
	"CREATE TEMP TABLE quiet AS SELECT uid FROM comm_row WHERE rank IN (SELECT rank FROM silent)"
	" GROUP BY uid HAVING count(*) >= max(size + coalesce(remote_size, 0));"
	"CREATE TEMP TABLE lone AS SELECT o.id, o.id >> 40 AS rank, o.peer, o.tag, o.comm & 0xffffff AS comm, c.uid,"
	"  (SELECT name FROM call_name n WHERE n.id = o.code & 1023) AS call, o.callsite FROM op_row o JOIN comm_row c"
	"   ON c.rank = o.id >> 40 AND c.comm = o.comm & 0xffffff"
	"  WHERE o.id IN (SELECT id FROM alone_row UNION SELECT id FROM pending_op_row) AND o.code >> 10 & 3 = 1"
	"   AND NOT o.code >> 37 & 1 AND o.peer NOT NULL AND o.id >> 40 IN (SELECT rank FROM silent);"
	"INSERT INTO misfit SELECT rank, op_id, printf(how, what) FROM (SELECT p.rank, p.op_id, CASE"
	"   WHEN l.rank <> p.peer AND l.uid = c.uid AND (p.tag < 0 OR l.tag = p.tag) THEN 'that'"
	"   WHEN l.rank <> p.peer THEN NULL"
	"   WHEN l.uid = c.uid AND p.tag >= 0 AND l.tag <> p.tag THEN printf('tag %d', l.tag)"
	"   WHEN l.uid <> c.uid AND (p.tag < 0 OR l.tag = p.tag) THEN 'that over ' || coalesce((SELECT nullif(name, '') FROM"
	"    comm_row w WHERE w.rank = l.rank AND w.comm = l.comm), 'another communicator') END"
	"   AS what, printf('rank %d sent %%s (%s at %s)', l.rank, l.call, coalesce(t.place, 'an unknown place')) AS how,"
	"   coalesce(l.rank <> p.peer, 0) AS far, l.id FROM pending p JOIN stuck s ON s.rank = p.rank AND s.calls JOIN comm_row c ON c.rank = p.rank"
	"   AND c.comm = p.comm JOIN lone l ON l.peer = p.rank LEFT JOIN site t ON t.rank = l.rank AND t.callsite = l.callsite"
	"   WHERE p.kind = 'recv' AND iif(p.peer IS NULL, c.uid IN (SELECT uid FROM quiet), p.peer IN (SELECT rank FROM silent)))"
	"  WHERE what NOT NULL"
	"  GROUP BY rank, op_id HAVING min(far * (1 << 62) - id);";

/*
 * Messages and receives are matched by their order: exact are ranks of which no row is missing, and none may be
 * another message's: one taken by a probe, of a receive that was cancelled or freed, or while one from any rank or
 * with any tag waits. What is in a call has bytes only where its datatype was known before.
 */
static const char longer_sql[] =
	"CREATE TEMP TABLE exact (rank INTEGER PRIMARY KEY);"
	"INSERT INTO exact SELECT rank FROM (SELECT rank FROM held UNION SELECT rank FROM run WHERE key = 'clean_finalize'"
	"  AND value) h WHERE NOT " ROWS_LOST("h.rank", "dropped_ops")
	"  AND NOT EXISTS (SELECT 1 FROM run u WHERE u.rank = h.rank AND u.key = 'unrecorded_ns' AND CAST(u.value AS INTEGER) > 0)"
	"  AND NOT EXISTS (SELECT 1 FROM match_info WHERE key = 'order_unsure' AND CAST(value AS INTEGER) > 0)"
	"  AND " PENDING_MATCHED " > 0;"
	"DELETE FROM exact WHERE rank IN (SELECT rank FROM call_cell JOIN call_name ON id = call WHERE name IN ('MPI_Mprobe',"
	"   'MPI_Improbe', 'MPI_Cancel', 'MPI_Request_free')"
	"  UNION SELECT o.id >> 40 FROM pending_op_row JOIN op_row o USING (id) WHERE o.code >> 25 & 3);"
	"INSERT INTO misfit SELECT r.id >> 40, r.id & 0xffffffffff, printf('rank %d sent %s (%s at %s), more than there is room for',"
	"   s.id >> 40, size(s.bytes), (SELECT name FROM call_name n WHERE n.id = s.code & 1023),"
	"   coalesce(t.place, 'an unknown place'))"
	" FROM (SELECT send, recv FROM match_row WHERE EXISTS (SELECT 1 FROM exact) AND recv IN (SELECT id FROM pending_op_row)) m"
	" JOIN op_row r ON r.id = m.recv AND (r.bytes > 0 OR r.span NOT NULL) JOIN op_row s ON s.id = m.send AND s.bytes > r.bytes"
	" LEFT JOIN site t ON t.rank = s.id >> 40 AND t.callsite = s.callsite"
	" WHERE r.id >> 40 IN (SELECT rank FROM exact) AND s.id >> 40 IN (SELECT rank FROM exact);";

/*
 * unlike(rank, comm, op_id, call, text): collectives that have not returned, and who has called another one as that
 * number of the communicator. who(...): all who called it, of whom it is known; those that came out of it had to do so
 * lately, where others are still inside.
 */
static const char unlike_sql[] =
	"CREATE TEMP TABLE who (uid INTEGER, seq INTEGER, rank INTEGER, comm INTEGER, call TEXT, inside INTEGER,"
	" PRIMARY KEY (uid, seq, rank)) WITHOUT ROWID;"
	"INSERT OR IGNORE INTO who SELECT c.uid, op_id, p.rank, p.comm, p.call, 1 FROM pending p JOIN comm_row c"
	"  ON c.rank = p.rank AND c.comm = p.comm WHERE kind = 'collective' AND uid NOT NULL;"
	"INSERT OR IGNORE INTO who SELECT * FROM (SELECT g.uid, g.seq, m.rank, m.comm, (SELECT name FROM call_name WHERE id = (SELECT"
	"   code & 1023 FROM (SELECT code, comm, seq FROM coll_row o WHERE o.id BETWEEN m.rank << 40 AND"
	"    (m.rank << 40) + 0xffffffffff ORDER BY o.id DESC LIMIT 64) o WHERE o.comm & 0xffffff = m.comm AND o.seq = g.seq"
	"   LIMIT 1)) AS call, 0 FROM (SELECT DISTINCT uid, seq FROM who LIMIT 64) g JOIN comm_row m ON m.uid = g.uid"
	"  WHERE NOT EXISTS (SELECT 1 FROM who w WHERE w.uid = g.uid AND w.seq = g.seq AND w.rank = m.rank))"
	"  WHERE call NOT NULL;"
	"CREATE TEMP TABLE unlike AS SELECT w.rank, w.comm, w.seq AS op_id, w.call, (SELECT group_concat(text, ', ') FROM"
	"  (SELECT iif(count(*) = 1, 'rank ', 'ranks ') || rank_list(rank) || ' called ' || call AS text FROM"
	"   (SELECT rank, call FROM who o WHERE o.uid = w.uid AND o.seq = w.seq ORDER BY rank)"
	"   WHERE " PLAIN_CALL("call") " <> " PLAIN_CALL("w.call") " GROUP BY call ORDER BY min(rank))) AS text"
	" FROM (SELECT * FROM who WHERE inside AND (uid, seq) IN (SELECT uid, seq FROM who GROUP BY uid, seq"
	"  HAVING count(DISTINCT " PLAIN_CALL("call") ") > 1) ORDER BY rank LIMIT 64) w;";

int report_prepare_hang(sqlite3 *db, bool analyzed)
{
	int code = sqlite3_exec(db, reached_sql, NULL, NULL, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_exec(db, wrong_sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && analyzed)
		code = sqlite3_exec(db, joint_sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && analyzed)
		code = sqlite3_exec(db, cycle_sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && analyzed)
		code = sqlite3_exec(db, misfit_sql, NULL, NULL, NULL);
	if (code == SQLITE_OK && analyzed)
		code = sqlite3_exec(db, longer_sql, NULL, NULL, NULL);
	return code == SQLITE_OK ? sqlite3_exec(db, unlike_sql, NULL, NULL, NULL) : code;
}
