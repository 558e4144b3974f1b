-- SPDX-License-Identifier: BSD-3-Clause
-- Why are the gains of remedies in doubt? No row if none was replayed.
SELECT *
FROM doubt
WHERE EXISTS (SELECT 1 FROM remedy_tried)
