-- SPDX-License-Identifier: BSD-3-Clause
-- case: ops without a partner
INSERT INTO alone_row VALUES (5, 10);
-- rows:
-- rank|op_id|reason|op_key
-- 0|5|not_received|5
