-- SPDX-License-Identifier: BSD-3-Clause
-- case: each thread of the rank has its call
INSERT INTO in_call_row (id, call, callsite, enter) VALUES (5, 1, 1, 10), ((1 << 40), 2, 3, 20), ((1 << 40) + 7, 4, NULL, 30),
	((1 << 40) + 8, 4, 2, NULL), ((2 << 40), 1, 1, 40);
-- bind: 1099511627776|2199023255552
-- rows:
-- thread|call_id|enter|callsite
-- 0|2|20|3
-- 7|4|30|-
