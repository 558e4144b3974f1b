-- SPDX-License-Identifier: BSD-3-Clause
-- case: processes that were started together, each in a world of its own
CREATE TEMP TABLE started (host TEXT, pid INTEGER, program TEXT, loaded INTEGER, why TEXT, together INTEGER);
INSERT INTO started VALUES ('a', 1, 'ring', 1, NULL, 4);
INSERT INTO run VALUES (0, 'world_size', 1), (0, 'mpi_library', 'MPICH Version:	4.1, of May');
-- ask: SELECT processes, instr(text, '4 processes') > 0 AS counted, instr(text, ' (MPICH 4.1)?') > 0 AS named FROM apart
-- rows:
-- processes|counted|named
-- 4|1|1

-- case: a world of all of them, one process alone, and one that recorded nothing are not apart
CREATE TEMP TABLE started (host TEXT, pid INTEGER, program TEXT, loaded INTEGER, why TEXT, together INTEGER);
INSERT INTO started VALUES ('a', 1, 'ring', 1, NULL, 4);
INSERT INTO run VALUES (0, 'world_size', 4);
-- ask: SELECT count(*) AS n FROM apart
-- rows:
-- n
-- 0

-- case: one process alone is not apart, nor is one that recorded nothing
CREATE TEMP TABLE started (host TEXT, pid INTEGER, program TEXT, loaded INTEGER, why TEXT, together INTEGER);
INSERT INTO started VALUES ('a', 1, 'ring', 1, NULL, 1), ('a', 2, 'ring', 0, NULL, 4);
INSERT INTO run VALUES (0, 'world_size', 1);
-- ask: SELECT count(*) AS n FROM apart
-- rows:
-- n
-- 0
