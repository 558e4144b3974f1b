-- SPDX-License-Identifier: BSD-3-Clause
-- The causes of waits, and behind them the time without predictions: the waits among it are in
-- no other row; its share of them is unknown.
-- own_mean_ns: the mean of the counted waits, without the parts of others that wait_ns has.
SELECT protocol, cause, count, wait_ns, share_pct, mean_ns AS own_mean_ns, what_helps
FROM (
	SELECT *
	FROM cause_row
	WHERE wait_ns >= 0
	UNION ALL SELECT NULL, 'not_predicted', sum(ops), sum(ns), NULL, NULL,
		helps('not_predicted')
	FROM unpredicted
	HAVING sum(ns) > 0)
ORDER BY cause = 'not_predicted', wait_ns DESC, protocol, cause
