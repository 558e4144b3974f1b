-- SPDX-License-Identifier: BSD-3-Clause
-- Why is it not told what bottlenecks are worth? No row: it is.
SELECT untold
FROM worth_run
WHERE untold NOT NULL
