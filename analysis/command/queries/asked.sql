-- SPDX-License-Identifier: BSD-3-Clause
-- Short questions of the commands.

-- query ranks: how many ranks it has
SELECT count(DISTINCT rank) FROM run

-- query ops: how many messages have a row
SELECT count(*) FROM op_row

-- query is_one_rank: a rank's own database, opened alone: it was not made from any file
SELECT EXISTS (SELECT 1 FROM run) AND NOT EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
