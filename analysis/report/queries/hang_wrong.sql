-- SPDX-License-Identifier: BSD-3-Clause
-- wrong: operations in calls that the library refuses. A message that is sent has a destination
-- and a tag. Only receives may have tag -1, which is MPI_ANY_TAG. A probe is no operation, and
-- has op_id 0.
INSERT OR IGNORE INTO wrong
SELECT i.rank, coalesce(i.op_id, 0), CASE
	WHEN not_there > 0 THEN 'no_such_rank'
	WHEN not_there < 0 THEN 'rank_below_0'
	WHEN sends AND any_source THEN 'sends_to_any'
	WHEN i.tag < -1 OR (sends AND i.tag < 0) THEN 'no_such_tag' END AS error,
	coalesce(sends, 0), not_there, nullif(c.name, ''), iif(c.name <> '', NULL, i.comm),
	coalesce(c.remote_size, c.size)
FROM in_call i
LEFT JOIN (SELECT id, is_send AS sends, any_source AS any_source FROM op_row_fields) o ON
	o.id = first_id(i.rank) + i.op_id
LEFT JOIN comm_row c ON c.rank = i.rank AND c.comm = i.comm
WHERE error NOT NULL;
