-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the worth of bottlenecks unknown? No row: it is known.
SELECT untold
FROM worth_run
WHERE untold NOT NULL
