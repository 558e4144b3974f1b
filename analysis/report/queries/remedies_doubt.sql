-- SPDX-License-Identifier: BSD-3-Clause
-- Why are the gains of remedies in doubt? No row if none was replayed.
SELECT why, ns, pct, 0 AS first, reason, link_reason
FROM doubt
LEFT JOIN hedge ON why = 'unpredicted'
WHERE EXISTS (SELECT 1 FROM remedy_tried)
