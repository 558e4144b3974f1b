-- SPDX-License-Identifier: BSD-3-Clause
-- Writes the rows once more, and numbers them, in the order in which calls were entered or times without a
-- CPU began. There may be any number of rows, so they go through a temporary file.

-- query sort_coll: collectives
PRAGMA temp_store = FILE;
CREATE TEMP TABLE moved AS SELECT * FROM coll_row ORDER BY post, id;
DELETE FROM coll_row;
INSERT INTO coll_row SELECT (SELECT min(id) FROM moved) - 1 + rowid, code, seq, comm, root, sent_bytes,
	recv_bytes, post, span, callsite, done, gap, complete, blocked
FROM moved ORDER BY rowid;
DROP TABLE moved;

-- query sort_rma: one-sided operations
PRAGMA temp_store = FILE;
CREATE TEMP TABLE moved AS SELECT * FROM rma_row ORDER BY enter, id;
DELETE FROM rma_row;
INSERT INTO rma_row SELECT (SELECT min(id) FROM moved) - 1 + rowid, call, object, peer, bytes, enter, span, thread, callsite, seq,
	done, gap, complete, blocked
FROM moved ORDER BY rowid;
DROP TABLE moved;

-- query sort_io: operations on files
PRAGMA temp_store = FILE;
CREATE TEMP TABLE moved AS SELECT * FROM io_row ORDER BY enter, id;
DELETE FROM io_row;
INSERT INTO io_row SELECT (SELECT min(id) FROM moved) - 1 + rowid, call, object, peer, bytes, enter, span, thread, callsite, seq,
	done, gap, complete, blocked
FROM moved ORDER BY rowid;
DROP TABLE moved;

-- query sort_off_cpu: times without a CPU
PRAGMA temp_store = FILE;
CREATE TEMP TABLE moved AS SELECT * FROM off_cpu_row ORDER BY enter, id;
DELETE FROM off_cpu_row;
INSERT INTO off_cpu_row SELECT (SELECT min(id) FROM moved) - 1 + rowid, enter, span, thread, what, callsite, after
FROM moved ORDER BY rowid;
DROP TABLE moved;

-- query pending_coll: collectives that had not ended
INSERT INTO pending_coll_row SELECT id FROM coll_row WHERE done = 0

-- query pending_rma: one-sided operations that had not ended
INSERT INTO pending_rma_row SELECT id FROM rma_row WHERE done = 0

-- query pending_io: operations on files that had not ended
INSERT INTO pending_io_row SELECT id FROM io_row WHERE done = 0
