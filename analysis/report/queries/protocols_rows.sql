-- SPDX-License-Identifier: BSD-3-Clause
-- protocol_row: messages by kind and protocol. It starts from the profile, which also has ops
-- without rows. An op with a row then moves from its own side's protocol to the one that both
-- sides give: a receive has the protocol of its sender. The time of a call that completed
-- several messages is shared among them anew. The unexplained rest of an excess is signed:
-- wait_ns can be below 0.
CREATE TEMP VIEW protocol_row AS
SELECT kind, coalesce(t.protocol, 'unknown') AS protocol,
	sum(count) AS count, sum(bytes) AS bytes, sum(blocked_ns) AS blocked_ns,
	iif(t.protocol NOT NULL, sum(predicted_ns), NULL) AS predicted_ns, sum(wait_ns) AS wait_ns,
	100.0 * sum(wait_ns) / nullif((SELECT ns FROM waited_sum), 0) AS share_pct
FROM (
	SELECT kind, protocol, sum(count) AS count,
		sum(bytes) AS bytes, sum(blocked_ns) AS blocked_ns,
		sum(predicted_ns) AS predicted_ns, 0 AS wait_ns
	FROM wait_cell_fields
	WHERE peer >= 0
	GROUP BY 1, 2
	UNION ALL SELECT kind, own_protocol, -sum(count), -sum(bytes),
		-sum(live_blocked_ns), -sum(iif(no_prediction, 0, blocked_ns - excess_ns)), 0
	FROM exact_cell_fields
	GROUP BY 1, 2
	UNION ALL SELECT kind, protocol, sum(count), sum(bytes), sum(blocked_ns),
		sum(iif(no_prediction, 0, blocked_ns - excess_ns)), 0
	FROM exact_cell_fields
	GROUP BY 1, 2
	UNION ALL SELECT kind, protocol, 0, 0, 0, 0, sum(ns)
	FROM exact_part
	GROUP BY 1, 2) t
GROUP BY kind, t.protocol
HAVING sum(count);
