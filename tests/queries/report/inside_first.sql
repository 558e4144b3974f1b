-- SPDX-License-Identifier: BSD-3-Clause
-- case: of the ids from the first on and before the second
INSERT INTO busy_row (id, enter, span, thread)
VALUES (first_id(0) + 1, 10, 5, 0), (first_id(0) + 2, 20, 6, 0), (first_id(0) + 3, 30, 7, 0);
-- bind: 2|4
-- rows: values
-- 2|20|6

-- case: none is left
INSERT INTO busy_row (id, enter, span, thread) VALUES (first_id(0) + 4, 10, 5, 0);
-- bind: 2|4
-- rows: values
