-- SPDX-License-Identifier: BSD-3-Clause
-- case: how many messages nobody received, and who sent them
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 1, id, column2 FROM unmatched_name, (VALUES (0, 4), (2, 1)) WHERE name = 'not_received';
-- rows:
-- messages|ranks|nranks|call|place|peer|tag|bytes
-- 5|0,2|2|-|-|-|-|-
