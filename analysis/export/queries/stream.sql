-- SPDX-License-Identifier: BSD-3-Clause
-- The rows of a thread of a rank. ?1: the id before the rank's first one, ?2: the last id that the
-- rank can have, ?3: the thread. In each query the first columns are id, post, span, call, callsite.

-- query ops: messages by the number that their posts gave them
SELECT * FROM export_op WHERE id > ?1 AND id <= ?2 AND thread = ?3 ORDER BY id

-- query ops_by_post: messages by the time of their posts; a matched receive has the number of its probe
SELECT * FROM export_op WHERE id > ?1 AND id <= ?2 AND thread = ?3 ORDER BY post, id

-- query collectives: collectives
SELECT id, post, span, call_id, callsite, sent_bytes, recv_bytes, root, comm, done, gap, complete, seq
FROM coll_row_fields WHERE id > ?1 AND id <= ?2 AND thread = ?3 ORDER BY id

-- query transfers: one-sided operations
SELECT id, enter, span, call, callsite, done, gap, complete FROM rma_row
WHERE id > ?1 AND id <= ?2 AND thread = ?3 ORDER BY id

-- query file_accesses: operations on files
SELECT id, enter, span, call, callsite, done, gap, complete FROM io_row
WHERE id > ?1 AND id <= ?2 AND thread = ?3 ORDER BY id

-- query in_call: a call that had not returned at the end and is no message
SELECT id, enter, NULL, call, callsite, NULL, NULL, NULL FROM in_call_row
WHERE id = ?1 + ?3 AND op IS NULL

-- query takes_matched: has rank ?1 received messages that it had probed by MPI_Mprobe or MPI_Improbe?
SELECT 1 FROM call_cell_fields WHERE rank = ?1 AND takes_matched LIMIT 1

-- query waits_of_collective: waits of rank ?1 in collective ?3 of communicator ?2
SELECT start, wait, state, late_rank FROM exact_coll_wait WHERE rank = ? AND comm = ? AND seq = ?
ORDER BY start
