-- SPDX-License-Identifier: BSD-3-Clause
-- case: paths, arguments and names of hosts go; base names and numbers stay
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
INSERT INTO run (rank, key, value) VALUES (0, 'host', 'node-b'), (1, 'host', 'node-a'), (2, 'host', 'node-b'), (0, 'boot_id', 'x-y'),
	(0, 'arguments', 'a.out --secret'), (0, 'program', '/home/me/a.out'), (0, 'TRYST_DIR', 'relative'), (0, 'TRYST_CACHE', ''),
	(0, 'TRYST_STARTED', 'x'), (0, 'mpi_library', 'Open MPI v4.1.4, package: Open MPI me@node-c, /opt'), (0, 'unknown', '/home/me/x'), (0, 'end_ns', 12);
-- ask: SELECT rank, key, value FROM run ORDER BY 1, 2
-- rows:
-- rank|key|value
-- 0|TRYST_CACHE|
-- 0|TRYST_DIR|...
-- 0|boot_id|boot1
-- 0|end_ns|12
-- 0|host|host2
-- 0|mpi_library|Open MPI v4.1.4
-- 0|program|a.out
-- 0|unknown|...
-- 1|host|host1
-- 2|host|host2

-- case: files keep their base names, objects of MPI become numbers
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
INSERT INTO input VALUES (0, '/home/me/run/rank-000000.db');
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/home/me/lib.so'), (0, 2, 'a.out');
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'main', '/home/me/src/a.c', 7), (0, 2, 0, 'f', 'b.c', 8);
INSERT INTO comm_row (rank, comm, uid, name) VALUES (0, 1, 7, 'MPI_COMM_WORLD'), (0, 3, 9, 'secret'), (1, 4, 9, 'secret');
INSERT INTO rma_window (rank, window, name) VALUES (0, 4, 'secret'), (0, 5, '');
INSERT INTO io_file (rank, file, name) VALUES (0, 2, '/home/me/out.dat');
INSERT INTO phase_row (rank, seq, thread, name, enter) VALUES (0, 0, 0, 'solve', 1), (0, 1, 0, 'read', 1);
INSERT INTO phase_cell (rank, name, kind, count, bytes, blocked_ns) VALUES (0, 'solve', 1, 2, 3, 4), (0, '', 1, 2, 3, 4);
-- ask: SELECT group_concat(path) AS text FROM module_row UNION ALL SELECT group_concat(file || line) FROM frame_row
-- ask: UNION ALL SELECT group_concat(name) FROM comm_row UNION ALL SELECT group_concat(name) FROM rma_window
-- ask: UNION ALL SELECT group_concat(name) FROM io_file UNION ALL SELECT group_concat(name) FROM phase_row
-- ask: UNION ALL SELECT group_concat(name) FROM phase_cell UNION ALL SELECT group_concat('<' || file || '>') FROM input
-- rows:
-- text
-- lib.so,a.out
-- a.c7,b.c8
-- MPI_COMM_WORLD,communicator 2,communicator 2
-- window 4,
-- file 2
-- phase 2,phase 1
-- ,phase 2
-- <>
