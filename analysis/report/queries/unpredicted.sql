-- SPDX-License-Identifier: BSD-3-Clause
-- unpredicted(rank, ops, far, blocked_ns, ns): messages whose time without waits is unknown.
-- far: how many of them are with another world. ns: how much of the time in which they blocked
-- is no known wait. Without a protocol, a prediction can only come from overheads learned
-- during the run. unpredicted_why(reason, link_reason): why that is so; link_reason: what the
-- calibration says of a link that lacks S.
CREATE TEMP TABLE unpredicted AS
SELECT rank, sum(count) AS ops, sum(iif(other_world, count, 0)) AS far,
	sum(blocked_ns) AS blocked_ns, sum(blocked_ns - wait_ns) AS ns
FROM wait_cell_fields
WHERE peer >= 0 AND (no_prediction OR protocol IS NULL)
GROUP BY rank;

CREATE TEMP VIEW unpredicted_why AS
SELECT CASE
	WHEN (SELECT sum(far) = sum(ops) FROM unpredicted) THEN 'other_worlds'
	WHEN EXISTS (SELECT 1 FROM run WHERE key = 'TRYST_CALIBRATE' AND value = 'off')
		THEN 'calibration_off'
	ELSE 'no_parameters' END AS reason, (
	SELECT reason
	FROM link_param l
	WHERE value IS NULL AND reason IS NOT NULL AND tier <> 'self'
		AND NOT EXISTS (
		SELECT 1
		FROM link_param m
		WHERE m.rank = l.rank AND m.tier = l.tier AND m.name = 'S' AND m.value IS NOT NULL)
	ORDER BY name = 'S' DESC
	LIMIT 1) AS link_reason;
