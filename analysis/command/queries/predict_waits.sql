-- SPDX-License-Identifier: BSD-3-Clause
-- Waits by cause: those that the replay gives, and those that it leaves as they were measured. What messages in
-- wrong order cost is part of late_sender here. Where calls take the time of a model, contention is part of it.
SELECT cause, sum(b) AS wait_before_ns, sum(a) AS wait_after_ns, sum(a) - sum(b) AS change_ns
FROM (
	SELECT cause, wait_before_ns AS b, wait_after_ns AS a FROM temp.scenario_callsite
	UNION ALL SELECT 'flow_control', flow_ns, flow_ns FROM exact_cell
	UNION ALL SELECT 'contention', contention_ns,
		CASE WHEN NOT (SELECT by_model FROM temp.scenario) THEN contention_ns END
	FROM exact_cell
)
GROUP BY cause HAVING sum(b) > 0 OR sum(a) > 0 ORDER BY max(sum(b), coalesce(sum(a), 0)) DESC
