-- SPDX-License-Identifier: BSD-3-Clause
-- The causes of waits, as one side can know them, and behind them the time without predictions.
SELECT *
FROM (
	SELECT *
	FROM cause_row
	UNION ALL SELECT 'not_predicted', sum(ops), sum(ns), NULL, NULL, helps('not_predicted')
	FROM unpredicted
	HAVING sum(ns) > 0)
ORDER BY cause = 'not_predicted', wait_ns DESC
