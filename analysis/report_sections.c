/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_sections.c: the queries of `tryst report`, in the order in which they are read.
 *
 * They use the views of include/schema.sql, the tables `input` and `started` (dataset.h), and what
 * report_prepare() makes (report.c).
 */
#include "report.h"
#include "report_model.h"

#define RUN_SUM(key) "(SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = '" key "')"
#define RUN_MAX(key) "(SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = '" key "')"
/* NULL: of both sides nothing is known. */
#define HOW_IT_WENT(key) "(SELECT value FROM match_info WHERE key = '" key "')"
#define UNMATCHED(which) \
	"iif(EXISTS (SELECT 1 FROM match_info), (SELECT coalesce(sum(ops), 0) FROM match_summary WHERE " which "), NULL)"

/* Time outside MPI and without a processor that nobody had taken: of one thread alone, as the kernel's account is the first one's. */
#define SLEPT \
	"SELECT sum(max(t.ns - c.ns - m.ns, 0)) AS slept FROM rank_time t" \
	"   JOIN (SELECT rank, CAST(value AS INTEGER) AS ns FROM run WHERE key = 'end_ns') e USING (rank, ns)" \
	"   JOIN (SELECT rank, sum(CAST(value AS INTEGER)) AS ns FROM run WHERE key IN ('cpu_ns', 'cpu_wait_ns')" \
	"    GROUP BY rank) c ON c.rank = t.rank" \
	"   JOIN (SELECT rank, ns FROM rank_time WHERE part = 1) m ON m.rank = t.rank WHERE t.part = 0"

/* With its arguments; where ranks have several programs, each with its ranks. */
#define PROGRAM \
	"(SELECT group_concat(text || iif(programs > 1, printf(' (rank%s %s)', iif(ranks GLOB '*[^0-9]*', 's', ''), ranks), '')," \
	"  ' : ') || iif(max(programs) > 3, printf(' : ... and %d more', max(programs) - 3), '') FROM" \
	"  (SELECT text, rank_list(rank) AS ranks, count(*) OVER () AS programs FROM (SELECT rank, coalesce(" \
	"    max(iif(key = 'arguments', value, NULL)), max(iif(key = 'program', value, NULL))) AS text FROM run" \
	"    WHERE key IN ('arguments', 'program') GROUP BY rank ORDER BY rank) WHERE text NOT NULL GROUP BY text" \
	"   ORDER BY min(rank) LIMIT 3))"
#define MPI_LIBRARY \
	"(SELECT replace(substr(value, 1, instr(replace(value, char(10), ',') || ',', ',') - 1), ' Version:' || char(9), ' ')" \
	"  FROM run WHERE key = 'mpi_library' LIMIT 1)"
#define NHOSTS "(SELECT count(DISTINCT value) FROM run WHERE key = 'host')"
#define NRANKS "max(coalesce(" RUN_MAX("world_size") ", 0), (SELECT count(*) FROM known))"

/*
 * ranks_read: of which something is known. run_most_ns: where the end of some was not seen, and it may have been later;
 * NULL: that is not known. no_processor_ns, slept_outside_ns: NULL where the kernel did not say.
 */
static const char summary_sql[] =
	"SELECT " PROGRAM " AS program, (SELECT count(*) FROM known) AS ranks_read, " NRANKS " AS ranks,"
	" " NHOSTS " AS hosts, " MPI_LIBRARY " AS mpi, last AS run_ns,"
	" iif(unseen, iif(unseen = bounded, max(most, last), NULL), last) AS run_most_ns,"
	" " RUN_SUM("end_ns") " AS all_ranks_ns, " RUN_SUM("cpu_wait_ns") " AS no_processor_ns,"
	" (" SLEPT ") AS slept_outside_ns, " HOW_IT_WENT("messages") " AS messages,"
	" " UNMATCHED("NOT matched") " AS ops_without_partner, " UNMATCHED("reason = 'not_received'") " AS not_received,"
	" (SELECT group_concat(path, ', ') FROM world) AS spawned_worlds"
	" FROM (SELECT " RUN_MAX("end_ns") " AS last),"
	"  (SELECT count(*) AS unseen, count(most_ns) AS bounded, max(most_ns) AS most FROM unseen_end)";

static const char summary_text_sql[] =
	"SELECT coalesce(" PROGRAM ", 'unknown program') AS text"
	" UNION ALL "
	"SELECT printf('%d of %d ranks on %d host%s, %s, ran %s%s%s after MPI_Init',"
	"  (SELECT count(*) FROM known),"
	"  " NRANKS ", " NHOSTS ", iif(" NHOSTS " = 1, '', 's'), coalesce(" MPI_LIBRARY ", 'unknown MPI'),"
	"  iif(unseen AND duration(max(most, last)) IS NOT duration(last), 'at least ', ''),"
	"  coalesce(duration(last), 'an unknown time'),"
	"  iif(unseen, coalesce(' and at most ' || nullif(duration(max(most, last)), duration(last)), ''), ''))"
	"  FROM (SELECT " RUN_MAX("end_ns") " AS last),"
	"   (SELECT count(*) AS unseen, iif(count(*) = count(most_ns), max(most_ns), NULL) AS most FROM unseen_end)"
	" UNION ALL "
	"SELECT printf('Ranks take turns: %s: waits are partly the scheduler''s', group_concat(printf("
	"  '%d share %d processor%s on %s', ranks, cpus, iif(cpus = 1, '', 's'), host), '; ')) FROM"
	" (SELECT h.value AS host, count(*) AS ranks, cpu_count(c.value) AS cpus FROM run h JOIN run c"
	"  USING (rank) WHERE h.key = 'host' AND c.key = 'core_map' GROUP BY h.value"
	"  HAVING count(*) > cpu_count(c.value) ORDER BY h.value LIMIT 3) HAVING count(*)"
	" UNION ALL "
	"SELECT printf('Ranks had no processor for %s in which they could have run, %.0f %% of their"
	" time: others had it', duration(waited), 100.0 * waited / run)"
	" FROM (SELECT " RUN_SUM("cpu_wait_ns") " AS waited, " RUN_SUM("end_ns") " AS run) WHERE waited * 20 > run"
	" UNION ALL "
	"SELECT printf('Ranks slept for at least %s outside MPI, %.0f %% of their time: that is no computing, though it"
	" counts as such; between polls it is waiting', duration(slept), 100.0 * slept / run)"
	" FROM (" SLEPT "),"
	"  (SELECT sum(ns) AS run FROM rank_time WHERE part = 0) WHERE slept * 20 > run"
	" UNION ALL "
	"SELECT 'Processes that were spawned have their own reports: ' || group_concat(path, ', ')"
	" FROM world GROUP BY NULL"
	" UNION ALL "
	"SELECT CASE WHEN EXISTS (SELECT 1 FROM match_info) THEN (SELECT printf('%,d message%s seen from both"
	" sides', value, iif(value = 1, '', 's')) FROM match_info WHERE key = 'messages')"
	"  || coalesce((SELECT '; operations without partner: ' || group_concat(printf('%,d %s', n,"
	"   reason), ', ') FROM (SELECT reason, sum(ops) AS n FROM match_summary WHERE NOT matched"
	"   GROUP BY reason ORDER BY 2 DESC) HAVING count(*)), '')"
	"  ELSE 'One side of each message alone: causes are what that side can tell (tryst analyze puts"
	" both together)' END WHERE EXISTS (SELECT 1 FROM run)"
	" UNION ALL "
	"SELECT printf('Nobody received %,d message%s, sent by rank%s %s%s', n, iif(n = 1, '', 's'),"
	"  iif(ranks GLOB '*[^0-9]*', 's', ''), ranks, coalesce((SELECT printf('; the first one by %s at %s to"
	" rank %d, tag %d, %s', call, coalesce(place, 'unknown'),"
	"  peer, tag, size(bytes)) FROM unmatched a CROSS JOIN op o ON o.op_key = a.op_key LEFT JOIN site s"
	"   ON s.rank = a.rank AND s.callsite = o.callsite WHERE reason = 'not_received'"
	"   ORDER BY post_enter_ns, a.op_key LIMIT 1),"
	"  '')) FROM (SELECT sum(ops) AS n, rank_list(rank) AS ranks FROM (SELECT rank, ops FROM match_summary"
	"  WHERE reason = 'not_received' ORDER BY rank)) WHERE n";

#define ROW_OF_RANK "o.id BETWEEN run.rank << 40 AND (run.rank << 40) + 0xffffffffff"

/* A loss a row: its name, whom it struck, how much (NULL: that is no number), and a sentence. */
#define LOSSES \
	"WITH RECURSIVE" \
	/* as many ranks as rows know; more is damage */ \
	" nranks(n) AS (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM run" \
	"  WHERE key = 'world_size' AND CAST(value AS INTEGER) <= 1048576)," \
	" expected(rank) AS (SELECT 0 WHERE (SELECT n FROM nranks) > 0 UNION ALL" \
	"  SELECT rank + 1 FROM expected WHERE rank + 1 < (SELECT n FROM nranks))," \
	" unclean AS (SELECT r.rank FROM run r JOIN input i USING (rank) WHERE key =" \
	" 'clean_finalize'" \
	"  AND value = 0 AND state <> 'unfinished' AND rank NOT IN (SELECT rank FROM run WHERE key = 'in_init') ORDER BY 1)," \
	" only(rank) AS (SELECT max(rank) FROM at_end WHERE NOT calls HAVING count(*) = 1)," \
	/* not where rows were left out: the last row need not be the last message then */ \
	" last_call(call, callsite) AS (SELECT code & 1023, callsite FROM" \
	"  (SELECT * FROM (SELECT code, callsite, post FROM op_row, only WHERE id >> 40 = rank" \
	"    AND id BETWEEN rank << 40 AND (rank << 40) + 0xffffffffff ORDER BY id DESC LIMIT 1)" \
	"   UNION ALL SELECT * FROM (SELECT code, callsite, post FROM coll_row, only" \
	"    WHERE id BETWEEN rank << 40 AND (rank << 40) + 0xffffffffff ORDER BY id DESC LIMIT 1))" \
	"  WHERE NOT EXISTS (SELECT 1 FROM run, only USING (rank) WHERE CAST(value AS INTEGER) > 0" \
	"   AND (key = 'ops_left_out' OR key GLOB 'dropped_*')) ORDER BY post DESC LIMIT 1)," \
	" lost(o, loss, ranks, count, unit, text) AS (" \
	"SELECT 1, 'processes_not_recorded', NULL, count(*), 'processes', printf('%d of %d processes that tryst run started %s recorded: %s'," \
	"  count(*), (SELECT count(*) FROM started), iif(count(*) = 1, 'is not', 'are not'), why)" \
	"  || printf(' (%s)', short_file(max(program)))" \
	" FROM started WHERE NOT loaded GROUP BY why" \
	" UNION ALL " \
	"SELECT 1, 'worlds_apart', NULL, processes, 'processes', text FROM apart" \
	" UNION ALL " \
	/* not where one rank's database was opened alone: its input has no file */ \
	"SELECT 2, 'ranks_missing', rank_list(rank), count(*), 'ranks', 'left no file: nothing is known' FROM" \
	" (SELECT rank FROM expected WHERE rank NOT IN (SELECT rank FROM input)" \
	"  AND EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL) ORDER BY rank) GROUP BY NULL" \
	" UNION ALL " \
	"SELECT 2, 'ranks_not_read', NULL, n - (SELECT count(*) FROM known), 'ranks'," \
	" 'one file of a run of ' || n || ' ranks: nothing is said of the others'" \
	" FROM nranks WHERE n > (SELECT count(*) FROM known)" \
	"  AND NOT EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)" \
	" UNION ALL " \
	"SELECT 2, 'all', NULL, NULL, NULL, 'nothing was recorded: no rank left a file' WHERE NOT EXISTS" \
	" (SELECT 1 FROM run) AND NOT EXISTS (SELECT 1 FROM started)" \
	" UNION ALL " \
	"SELECT 2, 'all_calls', NULL, NULL, NULL, 'no call was recorded' FROM outlook WHERE alone = 1 AND NOT EXISTS (SELECT 1 FROM run" \
	" WHERE key = 'in_init')" \
	" UNION ALL " \
	"SELECT 3, 'ranks_left_out', rank_list(rank), count(*), 'ranks', 'left out: ' || reason FROM" \
	" (SELECT rank, reason FROM input WHERE state = 'left_out' ORDER BY rank) GROUP BY reason" \
	" UNION ALL " \
	"SELECT 4, 'ranks_damaged', rank_list(rank), count(*), 'ranks', 'damaged, used as far as it goes: ' || reason FROM" \
	" (SELECT rank, reason FROM input WHERE state = 'partial' ORDER BY rank) GROUP BY reason" \
	" UNION ALL " \
	"SELECT 5, 'ranks_running', rank_list(rank), count(*), 'ranks', 'still running as far as can be seen: all that follows is so far' FROM" \
	" (SELECT rank FROM input WHERE state = 'unfinished' ORDER BY rank) GROUP BY NULL" \
	" UNION ALL " \
	/* MPI_Abort may end by exit(), too */ \
	"SELECT iif(exited, 5.9, 6), iif(exited, 'ranks_exited', 'ranks_not_finalized'), rank_list(rank), count(*), 'ranks', iif(exited," \
	" 'called exit(), or returned from main, without MPI_Finalize', 'ended without MPI_Finalize')" \
	" || '; what was recorded is here' FROM (SELECT rank, rank IN (SELECT rank FROM run WHERE key = 'exited')" \
	"  AND rank NOT IN (SELECT rank FROM at_end WHERE call = 'MPI_Abort') AS exited FROM unclean ORDER BY rank)" \
	" GROUP BY exited" \
	" UNION ALL " \
	"SELECT 6.02, 'ranks_in_init', rank_list(rank), count(*), 'ranks', iif(state = 'unfinished', 'in MPI_Init: nothing is recorded before it returns'," \
	" 'ended in MPI_Init: nothing was recorded') FROM (SELECT rank, state FROM run JOIN input USING (rank)" \
	"  WHERE key = 'in_init' ORDER BY rank) GROUP BY state = 'unfinished'" \
	" UNION ALL " \
	"SELECT 6.05, 'time_after_last_record', rank_list(rank), max(most_ns - least_ns), 'ns'," \
	" printf('what came after the last record is not known%s: run time and all shares" \
	" leave it out', coalesce(', for at most ' || duration(max(most_ns - least_ns)), '')) FROM" \
	" (SELECT * FROM unseen_end ORDER BY rank) GROUP BY most_ns IS NULL" \
	" UNION ALL " \
	"SELECT 6.1, 'aborted', rank, 1, 'ranks', printf('called %s at %s', call, coalesce(place, 'an unknown place'))" \
	" FROM at_end LEFT JOIN site USING (rank, callsite) WHERE call = 'MPI_Abort'" \
	" UNION ALL " \
	/* who is alone outside MPI, while others wait inside, is whom one looks for; if it runs, where they wait long */ \
	"SELECT 6.2, 'outside_mpi', e.rank, 1, 'ranks', printf(iif(runs, 'is outside MPI', 'was outside MPI at its end') || ', %d other%s inside'," \
	"  others, iif(others = 1, '', 's')) || coalesce('; its last message or collective: '" \
	"  || (SELECT (SELECT name FROM call_name n WHERE n.id = l.call) || ' at '" \
	"   || coalesce(s.place, 'an unknown place') FROM last_call l LEFT JOIN site s" \
	"   ON s.rank = e.rank AND s.callsite = l.callsite), '')" \
	" FROM at_end e JOIN (SELECT count(*) AS others FROM at_end WHERE calls) WHERE NOT calls" \
	"  AND (NOT runs OR (SELECT max(least_ns) FROM open_call) >= 1000000000) AND others" \
	"  AND (SELECT count(*) FROM at_end WHERE NOT calls) = 1" \
	"  AND NOT EXISTS (SELECT 1 FROM at_end WHERE call = 'MPI_Abort')" \
	" UNION ALL " \
	"SELECT 7, key, rank_list(rank), sum(n), 'rows', printf('%,d rows of %s were not recorded%s (profiles are" \
	" complete%s)', sum(n), substr(key, 9), coalesce(', from ' || duration(min(kept)) || ' on', '')," \
	"  iif(count(why) = count(*), '', '; --max-ops keeps more')) FROM" \
	" (SELECT rank, key, CAST(value AS INTEGER) AS n, " WHY_NOT_WRITTEN("run.rank") " AS why, CASE key" \
	"   WHEN 'dropped_ops' THEN (SELECT post FROM op_row o WHERE " ROW_OF_RANK \
	"    AND done IS NOT 0 ORDER BY id DESC LIMIT 1)" \
	"   WHEN 'dropped_collective' THEN (SELECT post FROM coll_row o WHERE " ROW_OF_RANK \
	"    AND done IS NOT 0 ORDER BY id DESC LIMIT 1) END AS kept" \
	"  FROM run WHERE key GLOB 'dropped_?*' AND n > 0 ORDER BY rank) GROUP BY key" \
	" UNION ALL " \
	"SELECT 8, 'lost_bytes', rank_list(rank), sum(n), 'B', printf('%,d bytes of records could not be written%s'," \
	" sum(n), coalesce(': ' || why, '')) FROM" \
	" (SELECT rank, CAST(value AS INTEGER) AS n, " WHY_NOT_WRITTEN("run.rank") " AS why" \
	"  FROM run WHERE key = 'lost_bytes' AND n > 0" \
	"  ORDER BY rank) GROUP BY why" \
	" UNION ALL " \
	"SELECT 9, 'ranks_stopped', rank_list(rank), count(*), 'ranks', 'recording stopped before the end' FROM" \
	" (SELECT rank FROM run WHERE key = 'stopped' AND value > 0 ORDER BY rank) GROUP BY NULL" \
	" UNION ALL " \
	"SELECT 9.1, 'time_not_recorded', rank_list(rank), sum(ns), 'ns', printf('nothing was recorded for %s, %.0f %% of their time, between" \
	" MPI_Pcontrol(0) and (1): blame and path take it for computing', duration(sum(ns)), 100.0 * sum(ns) / sum(run))" \
	" FROM (SELECT u.rank, CAST(u.value AS INTEGER) AS ns, CAST(e.value AS INTEGER) AS run FROM run u JOIN run e" \
	"  USING (rank) WHERE u.key = 'unrecorded_ns' AND e.key = 'end_ns' AND ns > 0 ORDER BY u.rank) HAVING count(*)" \
	" UNION ALL " \
	"SELECT 9.2, 'calls_left', rank_list(rank), sum(n), 'calls', printf('%,d calls were left by exceptions or jumps: they are" \
	" counted, but what they took, and what they sent, received or completed, is not known', sum(n)) FROM" \
	" (SELECT rank, CAST(value AS INTEGER) AS n FROM run WHERE key = 'calls_left' AND n > 0 ORDER BY rank) HAVING count(*)" \
	" UNION ALL " \
	"SELECT 9.3, 'calls_failed', (SELECT rank_list(rank) FROM (SELECT DISTINCT rank FROM call_cell WHERE errors ORDER BY rank))," \
	" sum(n), 'calls', printf('%,d call%s returned an error: %s%s; what failed has no row, but for messages that were cut', sum(n)," \
	"  iif(sum(n) = 1, '', 's'), group_concat(printf('%,d of %s at %s', n, name, coalesce(place, 'an unknown place')), ', ')" \
	"  FILTER (WHERE place_nr <= 3), iif(count(*) > 3, ', ...', '')) FROM" \
	" (SELECT *, row_number() OVER (ORDER BY n DESC, name, place) AS place_nr FROM (SELECT name, place, sum(errors) AS n" \
	"   FROM call_cell c JOIN call_name ON id = call LEFT JOIN site USING (rank, callsite) WHERE errors GROUP BY name, place)" \
	"  ORDER BY place_nr) HAVING count(*)" \
	" UNION ALL " \
	"SELECT 10, key, rank_list(rank), sum(n), CASE key WHEN 'damaged_bytes' THEN 'B' WHEN 'missing_chunks' THEN 'chunks'" \
	"  WHEN 'damaged_records' THEN 'records' WHEN 'damaged_regions' THEN 'regions' ELSE 'ranks' END, CASE key" \
	"  WHEN 'ring_missing' THEN 'the ring is missing or damaged: what it held last is lost'" \
	"  WHEN 'spool_missing' THEN 'the spool is missing or damaged: only the ring was left'" \
	"  WHEN 'missing_chunks' THEN sum(n) || ' chunks of the spool are missing'" \
	"  ELSE sum(n) || ' ' || replace(key, '_', ' ') || ' in ring or spool' END FROM" \
	" (SELECT rank, key, CAST(value AS INTEGER) AS n FROM run WHERE n > 0 AND key IN" \
	"  ('damaged_bytes', 'missing_chunks', 'damaged_records', 'damaged_regions'," \
	" 'ring_missing'," \
	"   'spool_missing') ORDER BY rank) GROUP BY key" \
	" UNION ALL " \
	"SELECT 11, 'messages_not_predicted', NULL, n, 'ops', printf('%,d of %,d sends and receives have no prediction, %s: of %s in them it is not known how" \
	" much is waiting, and waits, causes, blame and path are lower bounds', n, messages, iif(far = n," \
	" 'since links to processes of other worlds are not measured', 'for want of link parameters' || coalesce((SELECT" \
	"  CASE value WHEN 'off' THEN ' (TRYST_CALIBRATE=off)' WHEN 'quick' THEN ' (was too much else" \
	" running to measure them in MPI_Init? tryst calibrate and --links help)' END" \
	"  FROM run WHERE key = 'TRYST_CALIBRATE' LIMIT 1), '')), duration(ns)) FROM" \
	" (SELECT sum(ops) AS n, sum(far) AS far, sum(ns) AS ns, (SELECT sum(count) FROM wait_cell WHERE peer >= 0)" \
	"  AS messages FROM unpredicted) WHERE n > 0" \
	" UNION ALL " \
	"SELECT 12, 'ops_left_out', rank_list(rank), sum(n), 'rows', printf('%,d op rows that did not wait are in the rank files" \
	" only'," \
	" sum(n)) FROM (SELECT rank, CAST(value AS INTEGER) AS n FROM run WHERE key =" \
	" 'ops_left_out'" \
	"  ORDER BY rank) GROUP BY NULL" \
	" UNION ALL " \
	"SELECT 13, key, NULL, value, 'messages', printf('%,d message%s to be received before %s sent: clocks differ by" \
	" more than is known', value, iif(value = 1, ' seems', 's seem')," \
	"  iif(value = 1, 'it was', 'they were')) FROM match_info WHERE key = 'violations'" \
	" AND value > 0" \
	" UNION ALL " \
	"SELECT 14, key, NULL, value, 'ranks', printf('the clocks of %,d ranks could not be compared: waits between" \
	" hosts are estimates', value) FROM match_info WHERE key = 'clocks_unknown' AND value > 0" \
	" UNION ALL " \
	"SELECT 15, key, NULL, value, 'messages', printf('%,d message%s may belong to another one of several threads'," \
	" value, iif(value = 1, '', 's')) FROM match_info WHERE key = 'order_unsure' AND value > 0" \
	" UNION ALL " \
	"SELECT 16, key, NULL, value, 'messages', printf('%,d message%s different sizes on both sides', value," \
	" iif(value = 1, ' has', 's have'))" \
	" FROM match_info WHERE key = 'bytes_differ' AND value > 0" \
	" UNION ALL " \
	"SELECT 17, key, NULL, value, 'collectives', printf('%,d collective%s members', value, iif(value = 1, ' lacks', 's lack')) FROM match_info" \
	" WHERE key = 'collectives_cut' AND value > 0" \
	" UNION ALL " \
	"SELECT 18, key, NULL, value, 'waits', printf('%,d wait%s a history too long to be followed: blame for %s" \
	" is incomplete', value, iif(value = 1, ' has', 's have'), iif(value = 1, 'it', 'them'))" \
	" FROM match_info WHERE key = 'blame_cut' AND value > 0" \
	" UNION ALL " \
	"SELECT 19, key, NULL, value, 'waits', printf('%,d wait%s became known too late to be followed: blame leaves %s" \
	" out', value, iif(value = 1, '', 's'), iif(value = 1, 'it', 'them'))" \
	" FROM match_info WHERE key = 'blame_left_out' AND value > 0)"

#define LOSS_TEXT "iif(ranks IS NULL, '', iif(ranks GLOB '*[^0-9]*', 'ranks ', 'rank ') || ranks || ': ') || text"

static const char losses_sql[] = LOSSES
	"SELECT loss, ranks, count, unit, " LOSS_TEXT " AS text FROM lost ORDER BY o";

static const char losses_text_sql[] = LOSSES
	"SELECT " LOSS_TEXT " AS text FROM lost ORDER BY o";

/*
 * A rank that was killed knows of nothing after its last call, the others may: the age is at least
 * up to the last thing known of any rank, by the hosts' clocks, and at most until the rank was found
 * to be gone.
 */
#define PENDING_ROWS \
	/* until the rank was found gone */ \
	"WITH unseen AS (SELECT rank, max(g.value - e.value, 0) AS ns FROM run g JOIN run e" \
	"  USING (rank) WHERE g.key = 'found_dead_ns' AND e.key = 'end_ns')," \
	" row AS (SELECT p.rank, p.op_id, p.call, p.kind, p.peer, p.tag, p.comm, p.bytes," \
	"  p.age_ns - coalesce(u.ns, 0) + coalesce(l.ns, 0) AS least_ns," \
	"  max(p.age_ns, p.age_ns - coalesce(u.ns, 0) + coalesce(l.ns, 0)) AS age_ns," \
	"  p.in_call, s.place," \
	"  (SELECT state = 'unfinished' FROM input i WHERE i.rank = p.rank) AS runs" \
	"  FROM pending p LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite" \
	"  LEFT JOIN unseen u ON u.rank = p.rank LEFT JOIN later l ON l.rank = p.rank" \
	"  WHERE p.call NOT IN ('MPI_Wtime', 'MPI_Wtick'))"

/* What report_hang.c knows of it: of a collective the members that have not begun it, too. */
#define WHY_PENDING \
	"CASE WHEN tag NOT NULL THEN coalesce((SELECT w.text FROM wrong w WHERE w.rank = row.rank AND" \
	"   w.op_id = coalesce(row.op_id, 0)), 'while ' || (SELECT m.text FROM misfit m WHERE m.rank = row.rank AND m.op_id = row.op_id))" \
	" WHEN kind = 'collective' THEN nullif(ltrim(coalesce('not begun by ' || (SELECT iif(count(*) = 1, 'rank ', 'ranks ')" \
	"   || rank_list(rank) FROM (SELECT m.rank FROM comm_row c JOIN reached m ON m.uid = c.uid" \
	"   WHERE c.rank = row.rank AND c.comm = row.comm AND m.seq < row.op_id ORDER BY m.rank)), '')" \
	"  || coalesce(', where ' || (SELECT u.text FROM unlike u WHERE u.rank = row.rank AND u.comm = row.comm" \
	"   AND u.op_id = row.op_id), ''), ', '), '') END"

#define TOP_PENDING "(SELECT * FROM row ORDER BY age_ns DESC, rank, op_id LIMIT :top) row"

static const char pending_sql[] = PENDING_ROWS
	"SELECT rank, call, kind, peer, tag, bytes, age_ns, iif(in_call, 'in call', 'posted')"
	"  AS state, place AS \"where\", " WHY_PENDING " AS why FROM " TOP_PENDING;

/* A sentence each: what somebody needs who looks for the reason of a hang is never cut. */
static const char pending_text_sql[] = PENDING_ROWS
	"SELECT text FROM (SELECT printf('rank %d %s %s', rank, iif(in_call, 'in', 'posted'), call)"
	"  || CASE kind WHEN 'send' THEN coalesce(' to rank ' || peer, '')"
	"   WHEN 'recv' THEN coalesce(' from rank ' || peer, iif(why LIKE 'from %', '', ' from any rank'))"
	"   WHEN 'call' THEN iif(tag IS NULL, '', coalesce(' from rank ' || peer, iif(why LIKE 'from %', '', ' from any rank')))"
	"   WHEN 'collective' THEN coalesce(' with root ' || peer, '') || printf(' #%d of %s', op_id,"
	"    coalesce((SELECT nullif(name, '') FROM comm_row c WHERE c.rank = row.rank"
	"     AND c.comm = row.comm), 'communicator ' || comm))"
	"   ELSE coalesce(' with root ' || peer, '') END"
	"  || CASE WHEN why LIKE 'with tag %' THEN '' WHEN tag = -1 THEN ', any tag' ELSE coalesce(', tag ' || tag, '') END"
	"  || coalesce(', ' || why, '')"
	/* what is in a call has bytes only where its datatype was known before */
	"  || iif(bytes > 0 OR NOT in_call, ', ' || size(bytes), '')"
	"  || iif(least_ns > 0, iif(runs, ', for ', ', for at least ') || duration(least_ns)"
	"   || iif(age_ns > least_ns, ', at most ' || duration(age_ns), ''),"
	"   iif(age_ns > 0, ', for at most ' || duration(age_ns), ''))"
	"  || ': ' || coalesce(place, 'unknown place') AS text"
	" FROM (SELECT *, " WHY_PENDING " AS why FROM " TOP_PENDING ") row)"
	" UNION ALL "
	"SELECT printf('... and %,d more; --top shows them', count(*) - :top) FROM pending"
	" HAVING count(*) > :top";

#define TIME_ROWS(what) \
	"SELECT (SELECT " what " FROM part_name n WHERE n.part = t.part) AS what," \
	" sum(ns) AS all_ranks_ns," \
	" 100.0 * sum(ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 0), 0) AS share_pct," \
	" min(ns) AS least_ns," \
	" (SELECT rank FROM rank_time l WHERE l.part = t.part ORDER BY ns, rank LIMIT 1)" \
	"  AS least_on," \
	" max(ns) AS most_ns," \
	" (SELECT rank FROM rank_time l WHERE l.part = t.part ORDER BY ns DESC, rank LIMIT 1)" \
	"  AS most_on" \
	" FROM rank_time t GROUP BY part ORDER BY (SELECT n.rowid FROM part_name n WHERE n.part = t.part)"

static const char protocol_sql[] =
	"WITH p AS (SELECT code >> 10 & 3 AS kind, (SELECT name FROM protocol_name"
	"  WHERE id = code >> 16 & 3) AS protocol, sum(count) AS count, sum(bytes) AS bytes,"
	"  sum(blocked_ns) AS blocked_ns, sum(predicted_ns) AS predicted_ns, sum(wait_ns) AS wait_ns"
	"  FROM wait_cell WHERE peer >= 0 GROUP BY code >> 10 & 3, code >> 16 & 3)"
	"SELECT iif(kind = 1, 'send', 'recv') AS kind, coalesce(protocol, 'unknown') AS protocol,"
	" count, bytes, blocked_ns, iif(protocol IS NULL, NULL, predicted_ns) AS predicted_ns,"
	" iif(protocol IS NULL, NULL, wait_ns) AS wait_ns,"
	" 100.0 * iif(protocol IS NULL, NULL, wait_ns) / nullif((SELECT sum(wait_ns) FROM p), 0)"
	"  AS share_pct"
	" FROM p ORDER BY p.wait_ns DESC, 1, 2";

#define CAUSE_ROWS \
	"SELECT coalesce(cause_hint, 'unknown to one side') AS cause, sum(count) AS count," \
	" sum(wait_ns) AS wait_ns," \
	" 100.0 * sum(wait_ns) / nullif((SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0), 0) AS share_pct," \
	" max(max_wait_ns) AS longest_ns," \
	" " HELPS("cause_hint", "'flow_control', 'late_progress'") " AS what_helps" \
	" FROM wait_by_cause GROUP BY cause_hint HAVING sum(wait_ns) > 0"

static const char cause_sql[] = CAUSE_ROWS " ORDER BY wait_ns DESC";

static const char cause_text_sql[] = "SELECT * FROM (" CAUSE_ROWS
	" UNION ALL SELECT 'not_predicted', sum(ops), sum(ns), NULL, NULL, helps('not_predicted')"
	" FROM unpredicted HAVING sum(ns) > 0) ORDER BY cause = 'not_predicted', wait_ns DESC";

static const char callsites_sql[] =
	"SELECT coalesce(s.place, 'unknown') AS \"where\", w.call, sum(w.count) AS count,"
	" sum(w.wait_ns) AS wait_ns,"
	" 100.0 * sum(w.wait_ns) / nullif((SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0), 0) AS"
	" share_pct,"
	" max(w.max_wait_ns) AS longest_ns"
	" FROM wait_by_callsite w LEFT JOIN site s ON s.rank = w.rank AND s.callsite = w.callsite"
	" GROUP BY 1, 2 HAVING sum(w.wait_ns) > 0 ORDER BY 4 DESC, 1, 2 LIMIT :top";

static const char pairs_sql[] =
	"SELECT rank AS waiting_rank, iif(kind = 'send', 'sends to', 'receives from') AS \"as\","
	" peer,"
	" count, bytes, wait_ns,"
	" 100.0 * wait_ns / nullif((SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0), 0) AS share_pct,"
	" max_wait_ns AS longest_ns"
	" FROM wait_by_peer WHERE wait_ns > 0 ORDER BY wait_ns DESC, rank, peer LIMIT :top";

/* What only asks the library is one row: it neither communicates nor waits. */
static const char calls_sql[] =
	"WITH name AS (SELECT id, iif(is_query(name), 'local queries', name) AS call,"
	"  is_query(name) AS query FROM call_name WHERE name NOT IN ('MPI_Init', 'MPI_Init_thread',"
	"  'MPI_Finalize'))"
	"SELECT iif(n.query, 'anywhere', coalesce(s.place, 'unknown')) AS \"where\", n.call,"
	" sum(c.count) AS count,"
	" sum(c.time_ns) AS time_ns,"
	" 100.0 * sum(c.time_ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 0), 0)"
	"  AS share_pct,"
	" sum(c.time_ns) / sum(c.count) AS mean_ns"
	" FROM call_cell c CROSS JOIN name n ON n.id = c.call"
	" LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite"
	" GROUP BY 1, 2 ORDER BY 4 DESC, 1, 2 LIMIT :top";

/*
 * Ranks whose parameters are the same make one row, which is read from the lowest of them: link_key() tells
 * them apart without putting the parameters of ten thousand ranks into columns. Links to hosts of other kinds have
 * the lowest rank of that kind as peer.
 */
#define LINK_VALUE(name) "max(value) FILTER (WHERE name = '" name "')"
#define LINK_ROWS \
	"WITH side(peer) AS (SELECT -1 UNION SELECT peer FROM link_param WHERE peer >= 0 AND name = 'S')," \
	" k AS (SELECT r.rank, t.name AS tier, s.peer, (SELECT link_key(name, value, source)" \
	"  FROM link_param p WHERE " LINK_OF("p", "r.rank", "t.name", "s.peer") ") AS key" \
	"  FROM known r CROSS JOIN tier_name t CROSS JOIN side s)," \
	" g AS (SELECT tier, peer, min(rank) AS rank, rank_list(rank) AS ranks, count(*) AS n" \
	"  FROM (SELECT * FROM k WHERE key IS NOT NULL ORDER BY tier, peer, rank) GROUP BY tier, peer, key)," \
	" l AS (SELECT g.tier, g.rank, g.peer, ranks, n, group_concat(DISTINCT source) AS source," \
	"  " LINK_VALUE("o") " AS o_ns, " LINK_VALUE("one_way") " AS one_way_ns," \
	"  " LINK_VALUE("rendezvous") " AS rendezvous_ns," \
	"  " LINK_VALUE("G_s") " AS G_s, " LINK_VALUE("G_l") " AS G_l," \
	"  CAST(" LINK_VALUE("s") " AS INTEGER) AS short_max_bytes," \
	"  CAST(" LINK_VALUE("S_p") " AS INTEGER) AS local_max_bytes," \
	"  CAST(" LINK_VALUE("S") " AS INTEGER) AS eager_max_bytes," \
	"  " LINK_VALUE("age") " AS age_s, max(reason) FILTER (WHERE name = 'age') AS measured_by" \
	"  FROM g CROSS JOIN link_param p ON " LINK_OF("p", "g.rank", "g.tier", "g.peer") \
	"  GROUP BY g.tier, g.peer, g.rank) "

static const char links_sql[] = LINK_ROWS
	"SELECT tier, ranks, nullif(peer, -1) AS peer, o_ns, one_way_ns, rendezvous_ns,"
	" G_s AS G_s_ns_per_byte, G_l AS G_l_ns_per_byte, short_max_bytes, local_max_bytes,"
	" eager_max_bytes, source, age_s, measured_by FROM l ORDER BY tier, rank, peer LIMIT :top";

/* What is known, then what is not and why. */
static const char links_text_sql[] = LINK_ROWS
	"SELECT tier || ' (' || iif(n = 1, 'rank ', 'ranks ') || ranks"
	" || iif(peer < 0, ', ', ' to hosts like rank ' || peer || '''s, ')"
	" || iif(source LIKE '%unconfirmed%', 'unconfirmed, ' || " MEASURED_AGO("age_s", "measured_by")
	"  || coalesce('; ' || nullif(trim(replace(source, 'unconfirmed', ''), ','), ''), ''),"
	"  coalesce(source, 'not measured')) || ')'"
	" || coalesce('; short up to ' || short_max_bytes || ' B', '')"
	" || coalesce('; completes alone up to ' || local_max_bytes || ' B', '')"
	" || coalesce('; eager up to ' || eager_max_bytes || ' B', '')"
	" || coalesce('; o ' || duration(o_ns), '')"
	" || coalesce('; one way 2o+L ' || duration(one_way_ns), '')"
	" || coalesce('; rendezvous T4+T5 ' || duration(rendezvous_ns), '')"
	" || iif(G_s IS NULL, '', printf('; %.3g ns/B short', G_s))"
	" || iif(G_l IS NULL, '', printf('; %.3g ns/B long', G_l))"
	" || coalesce('; unknown: ' || (SELECT group_concat(name || coalesce(' (' || reason || ')',"
	"  ''), ', ') FROM link_param p WHERE " LINK_OF("p", "l.rank", "l.tier", "l.peer")
	"  AND p.value IS NULL"
	"  AND p.name IN ('s', 'S_p', 'S', 'o', 'one_way', 'rendezvous', 'G_s', 'G_l')), '') AS"
	" text"
	" FROM l WHERE tier <> 'self' ORDER BY tier = 'network', rank, peer LIMIT :top";

static const char bottlenecks_sql[] =
	"SELECT coalesce(s.place, 'unknown') AS \"where\", call, cause_hint,"
	" count(DISTINCT b.rank << 32 | b.peer) AS pairs, sum(count) AS count,"
	" min(min_bytes) AS least_bytes, max(max_bytes) AS most_bytes, sum(wait_ns) AS wait_ns,"
	" remedy"
	" FROM rendezvous_bottlenecks b"
	" LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite"
	" GROUP BY 1, 2, 3, remedy ORDER BY sum(wait_ns) DESC, 1, 2 LIMIT :top";

static const char bottlenecks_text_sql[] =
	"SELECT printf('%s lost in %s at %s: %,d message%s of %s to %s between %d pair%s of ranks,"
	" %s;"
	" remedy: %s', duration(sum(wait_ns)), call, coalesce(s.place, 'unknown'), sum(count),"
	" iif(sum(count) = 1, '', 's'), size(min(min_bytes)), size(max(max_bytes)),"
	" count(DISTINCT b.rank << 32 | b.peer), iif(count(DISTINCT b.rank << 32 | b.peer) = 1, '',"
	" 's'), coalesce(cause_hint, 'cause unknown'), remedy)"
	" FROM rendezvous_bottlenecks b"
	" LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite"
	" GROUP BY coalesce(s.place, 'unknown'), call, cause_hint, remedy"
	" HAVING sum(wait_ns) >= 0.01 * (SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0)"
	" ORDER BY sum(wait_ns) DESC, 1 LIMIT :top";

static const char model_sql[] = REPORT_MODEL_SQL;
static const char drift_sql[] = REPORT_DRIFT_SQL;

/* What one side alone cannot know. */
static const char drift_text_sql[] = REPORT_DRIFT_TEXT_SQL("only full buffers can have made wait", "buffers were full, or ");

#define TOOL_SHARE "100.0 * sum(ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 0), 0)"
#define FINALIZE_LONGER \
	"(SELECT max(ns) FROM (SELECT sum(CAST(value AS INTEGER)) AS ns FROM run" \
	"  WHERE key IN ('finalize_overhead_ns', 'rows_ns') GROUP BY rank HAVING max(key) = 'rows_ns'))"

static const char overhead_sql[] =
	"SELECT sum(ns) AS tool_ns, " TOOL_SHARE " AS share_pct, " RUN_MAX("init_overhead_ns") " AS init_longer_ns,"
	" " FINALIZE_LONGER " AS finalize_longer_ns FROM rank_time WHERE part = 9 GROUP BY NULL";

static const char overhead_text_sql[] =
	"SELECT printf('%s in all, %s of the ranks'' run time', duration(sum(ns)),"
	" coalesce(printf('%.2f %%', " TOOL_SHARE "), 'unknown share'))"
	" || coalesce('; MPI_Init took ' || duration(" RUN_MAX("init_overhead_ns") ") || ' longer', '')"
	" || coalesce(', MPI_Finalize ' || duration(" FINALIZE_LONGER "), '') AS text"
	" FROM rank_time WHERE part = 9 GROUP BY NULL";

/* Where only one side is known; report_verdict_exact knows more. */
static const char verdict_sql[] =
	"SELECT sum(ns) FILTER (WHERE part = 2) AS wait_ns, 100.0 * sum(ns) FILTER (WHERE part = 2)"
	" / nullif(sum(ns) FILTER (WHERE part = 0), 0) AS share_pct,"
	" sum(ns) FILTER (WHERE part = 3) AS not_predicted_ns FROM rank_time";

static const char verdict_text_sql[] =
	"SELECT 'Verdict: ' || coalesce((SELECT text || ' ' FROM outlook), '') || CASE"
	"  WHEN (SELECT alone FROM outlook) THEN ''"
	"  WHEN coalesce(run, 0) = 0 THEN 'how long the run took is not known.'"
	"  WHEN EXISTS (SELECT 1 FROM hedge) THEN printf(iif((SELECT text FROM outlook) LIKE '%.', 'At', 'at')"
	" || ' least %.1f %% of ' || (SELECT text FROM whose) || ' is"
	" waiting in messages, as one side can know it; %s', 100.0 * wait / run,"
	"   (SELECT text FROM hedge))"
	"  WHEN wait * 100 < 2 * run AND (SELECT text FROM outlook) IS NULL"
	"   AND NOT EXISTS (SELECT 1 FROM besides) AND NOT EXISTS (SELECT 1 FROM bound) THEN printf('waiting in"
	" messages is not the problem, it is %.1f %% of the ranks'' time.', 100.0 * wait / run)"
	"  ELSE printf(coalesce((SELECT text FROM bound), '') || '%.0f %% of ' || (SELECT text FROM whose) || ' is waiting in messages, as one side can know"
	" it.', 100.0 * wait / run) END || (SELECT coalesce(group_concat(text, ''), '')"
	"  FROM (SELECT text FROM besides ORDER BY part)) || (SELECT text FROM unconfirmed)"
	" FROM (SELECT coalesce(sum(ns) FILTER (WHERE part = 2), 0) AS wait,"
	"  sum(ns) FILTER (WHERE part = 0) AS run FROM rank_time)";

const struct section report_sections[] = {
	{ .name = "summary", .kind = SECTION_LINES, .one = { .sql = summary_sql, .text_sql = summary_text_sql } },
	{ .name = "losses", .kind = SECTION_RAISED, .empty = "Nothing was lost.",
		.one = { .sql = losses_sql, .text_sql = losses_text_sql } },
	{ .name = "pending", .kind = SECTION_LINES, .empty_asked = "Nothing is pending.",
		.one = { .title = "PENDING at the end: begun and never completed",
			.sql = pending_sql, .text_sql = pending_text_sql } },
	{ .name = "verdict", .kind = SECTION_LINES,
		.one = { .title = "", .sql = verdict_sql, .text_sql = verdict_text_sql },
		.both = &report_verdict_exact },
	{ .name = "time", .one = { .title = "TIME", .sql = TIME_ROWS("plain"), .text_sql = TIME_ROWS("name") } },
	{ .name = "protocols", .empty = "No messages between ranks.",
		.one = { .title = "MESSAGES by protocol: a pair's first one has no wait here",
			.sql = protocol_sql },
		.both = &report_protocols_exact },
	{ .name = "causes", .empty = "No waits in messages seen.",
		.one = { .title = "WAITS by cause, as one side can know it", .sql = cause_sql,
			.text_sql = cause_text_sql },
		.both = &report_causes_exact },
	{ .name = "callsites", .one = { .title = "WAITS by callsite", .sql = callsites_sql },
		.both = &report_callsites_exact },
	{ .name = "pairs", .one = { .title = "WAITS by pair of ranks", .sql = pairs_sql },
		.both = &report_pairs_exact },
	{ .name = "bottlenecks", .kind = SECTION_LINES,
		.one = { .title = "RENDEZVOUS BOTTLENECKS, as one side can know them", .sql = bottlenecks_sql,
			.text_sql = bottlenecks_text_sql },
		.both = &report_bottlenecks_exact },
	{ .name = "collectives", .both = &report_collectives_exact },
	{ .name = "blame", .kind = SECTION_LINES, .both = &report_blame_exact },
	{ .name = "path", .kind = SECTION_LINES, .both = &report_path_exact },
	{ .name = "calls", .one = { .title = "TIME IN MPI by callsite", .sql = calls_sql } },
	{ .name = "links", .kind = SECTION_LINES, .empty = "No link between ranks is known: tryst calibrate measures them,"
			" tryst run --links takes them.",
		.one = { .title = "LINKS: what a message costs without waits", .sql = links_sql,
			.text_sql = links_text_sql } },
	{ .name = "model", .one = { .sql = model_sql,
		.title = "LIVE MODEL on messages that only full buffers can have made wait, means" },
		.both = &report_model_exact },
	{ .name = "drift", .kind = SECTION_LINES,
		.one = { .title = REPORT_DRIFT_TITLE, .sql = drift_sql, .text_sql = drift_text_sql },
		.both = &report_drift_exact },
	{ .name = "accuracy", .both = &report_accuracy_exact },
	{ .name = "overhead", .kind = SECTION_LINES,
		.one = { .title = "TRYST ITSELF", .sql = overhead_sql, .text_sql = overhead_text_sql } },
	{ 0 }
};
