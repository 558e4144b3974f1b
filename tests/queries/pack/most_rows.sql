-- SPDX-License-Identifier: BSD-3-Clause
-- case: a run with more one-sided operations than messages or file operations
INSERT INTO match_row (id, send, recv) VALUES (1, first_id(0) + 1, first_id(1) + 1);
INSERT INTO rma_row (id, enter, span) SELECT first_id(0) + n, n, 10 FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO io_row (id, enter, span) SELECT first_id(0) + n, n, 10 FROM (SELECT 1 AS n UNION SELECT 2);
-- rows:
-- rows
-- 3

-- case: a run without rows
-- rows:
-- rows
-- 0
