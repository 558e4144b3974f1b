-- SPDX-License-Identifier: BSD-3-Clause
-- In a job that hangs: the first receive whose message differs in one thing. awaited: the tag.
SELECT rank, call, in_call, peer, iif(tag < 0, NULL, tag) AS awaited, differs, from_rank,
	from_call, from_place, from_tag, from_comm, from_bytes
FROM misfit
JOIN pending p USING (rank, op_id)
WHERE kind = 'recv' AND (SELECT state IN ('hangs', 'hung') FROM outlook)
ORDER BY rank, op_id
LIMIT 1
