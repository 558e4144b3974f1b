-- SPDX-License-Identifier: BSD-3-Clause
-- wrong: operations in calls that the library refuses. A message that is sent has a destination
-- and a tag. Only receives may have tag -1, which is MPI_ANY_TAG.
INSERT OR IGNORE INTO wrong
SELECT i.rank, coalesce(i.op_id, 0), coalesce(iif(not_there > 0,
			printf('%s rank %d, where %s has %d', iif(sends, 'to', 'from'), not_there,
				coalesce(nullif(c.name, ''), 'communicator ' || i.comm),
				coalesce(c.remote_size, c.size)), NULL),
		iif(not_there < 0, iif(sends, 'to', 'from') || ' a rank below 0', NULL),
		iif(sends AND any_source, 'to MPI_ANY_SOURCE', NULL),
		iif(i.tag < -1 OR (sends AND i.tag < 0),
			printf('with tag %d, which no message has', i.tag), NULL))
	|| ': an error that ends the job' AS text
FROM in_call i
LEFT JOIN (SELECT id, kind_id = 1 AS sends, any_source AS any_source FROM op_row_fields) o ON
	o.id = first_id(i.rank) + i.op_id
LEFT JOIN comm_row c ON c.rank = i.rank AND c.comm = i.comm
WHERE text NOT NULL;
