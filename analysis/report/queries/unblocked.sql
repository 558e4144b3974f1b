-- SPDX-License-Identifier: BSD-3-Clause
-- unblocked: model_error by rank, kind and protocol. If both sides are known, messages that
-- found no room are taken off (both_sides.sql).
CREATE TEMP TABLE unblocked_part AS
SELECT rank, kind, protocol, sum(count) AS count, sum(predicted_ns) AS predicted_ns,
	sum(blocked_ns) AS blocked_ns
FROM model_error
GROUP BY rank, kind, protocol;

CREATE TEMP VIEW unblocked AS
SELECT rank, kind, protocol, sum(count) AS count, sum(predicted_ns) AS predicted_ns,
	sum(blocked_ns) AS blocked_ns
FROM unblocked_part
GROUP BY rank, kind, protocol
HAVING sum(count) > 0;

-- unblocked_by: do both sides tell that no full buffers made these calls wait?
CREATE TEMP TABLE unblocked_by AS
SELECT 0 AS both_sides;
