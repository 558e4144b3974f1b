-- SPDX-License-Identifier: BSD-3-Clause
-- In a job that hangs: the first call that the library refuses.
SELECT rank, call, tag, error, sends, not_there, comm_name, comm_number, members
FROM wrong w
JOIN pending p USING (rank)
WHERE p.op_id IS nullif(w.op_id, 0) AND in_call AND (w.op_id OR tag NOT NULL)
	AND (SELECT state IN ('hangs', 'hung') FROM outlook)
ORDER BY rank, w.op_id
LIMIT 1
