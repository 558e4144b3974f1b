-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages of both sides, and why others lack a partner
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 2, id, 4 FROM unmatched_name WHERE name = 'pending';
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|9|1|-|-|0
-- 1|-|1|pending|4|1

-- case: one side alone knows no messages
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|-|0|-|-|0
