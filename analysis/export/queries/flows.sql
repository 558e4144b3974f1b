-- SPDX-License-Identifier: BSD-3-Clause
-- Entry of the post of each send; last instant of the call in which its receive was complete. On a
-- coarse clock such a call takes no time.
SELECT m.id, s.rank, s.thread, s.post, r.rank, r.thread,
	r.post + r.span + coalesce(r.gap + max(r.complete, 1), 0) - 1, r.post, s.bytes
FROM match_row m CROSS JOIN op_row_fields s ON s.id = m.send
	CROSS JOIN op_row_fields r ON r.id = m.recv
WHERE r.done IS NOT 0 AND r.span IS NOT NULL
ORDER BY m.id
