-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the worth of bottlenecks unknown? No row: it is known, or bottlenecks.sql tells people of
-- none.
SELECT untold
FROM worth_run
WHERE untold NOT NULL AND EXISTS (
	SELECT 1
	FROM bottleneck
	WHERE coalesce(wait_ns, unhidden_ns) > 0 AND coalesce(wait_ns, unhidden_ns)
		>= 0.01 * coalesce((SELECT ns FROM waited_sum), 0))
