-- SPDX-License-Identifier: BSD-3-Clause
-- How much was waited in messages, as one side can know it.
SELECT sum(ns) FILTER (WHERE part = 2) AS wait_ns,
	100.0 * sum(ns) FILTER (WHERE part = 2) / nullif(sum(ns) FILTER (WHERE part = 0), 0) AS
	share_pct, sum(ns) FILTER (WHERE part = 3) AS not_predicted_ns
FROM rank_time
