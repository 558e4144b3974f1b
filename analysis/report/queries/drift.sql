-- SPDX-License-Identifier: BSD-3-Clause
-- Where the run left its calibration. Learned rows: scaled times of messages, and shortest
-- calls that moved away from their prediction during the run by more than the clock's error.
-- error: calls whose mean is more than twice the prediction, and more than a microsecond above
-- it. continues: the row is of the same tier and name as the one before. exact: full buffers
-- have not made these calls wait.
SELECT *, coalesce(name <> 'error' AND row_number() OVER (PARTITION BY name, tier ORDER BY form,
			bytes) > 1, 0) AS continues, 2 * bytes + 4 AS next_bytes
FROM (
	SELECT tier, name, form, bytes, rank_list(rank) AS ranks, avg(value) AS value,
		iif(name = 'drift', avg(ci_low), NULL) AS first_value, NULL AS count, NULL AS exact
	FROM link_param
	WHERE (name IN ('scale', 'scale_next') AND abs(value - 1) > 0.1)
		OR (name = 'drift' AND abs(value - ci_low) > 1000)
	GROUP BY tier, name, form, bytes
	UNION ALL SELECT NULL, 'error', kind || ' ' || protocol, NULL, ranks, blocked_ns,
		predicted_ns, count, (SELECT both_sides FROM unblocked_by)
	FROM (
		SELECT kind, protocol, rank_list(rank) AS ranks, sum(count) AS count,
			sum(blocked_ns) / sum(count) AS blocked_ns,
			sum(predicted_ns) / sum(count) AS predicted_ns
		FROM (SELECT * FROM unblocked ORDER BY rank)
		GROUP BY kind, protocol)
	WHERE blocked_ns > max(2 * predicted_ns, predicted_ns + 1000))
ORDER BY name DESC, tier, form, bytes
LIMIT iif(:for_data, :top, -1)
