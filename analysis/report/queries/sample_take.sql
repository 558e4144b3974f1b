-- SPDX-License-Identifier: BSD-3-Clause
-- Ops of the sample that the merge left in a rank's file, attached as rank_file.
INSERT OR IGNORE INTO sample_op
SELECT o.id, rank, call_id, kind, mode, post, callsite, iif(done > 0, done_call_id, NULL),
	iif(done > 0, done_callsite, NULL), iif(done > 0, span + gap, 0)
FROM (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w
CROSS JOIN rank_file.op_row_fields o ON o.id = w.id;

DETACH rank_file
