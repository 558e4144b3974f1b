-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks of the world that have no file
CREATE TEMP TABLE input (rank, file); CREATE TEMP TABLE apart (processes, text);
INSERT INTO input VALUES (0, 'rank-000000.db'), (2, 'rank-000002.db');
INSERT INTO run VALUES (0, 'world_size', 5), (2, 'world_size', 5);
-- rows: values
-- 1|no file of ranks 1,3,4: nothing is known of them

-- case: all are there, or one was opened alone, which has no file
CREATE TEMP TABLE input (rank, file); CREATE TEMP TABLE apart (processes, text);
INSERT INTO input VALUES (1, NULL);
INSERT INTO run VALUES (1, 'world_size', 5);
-- rows: values

-- case: processes that were not started as one run are told as well
CREATE TEMP TABLE input (rank, file); CREATE TEMP TABLE apart (processes, text);
INSERT INTO apart VALUES (4, 'they are apart');
-- rows: values
-- 0|they are apart
