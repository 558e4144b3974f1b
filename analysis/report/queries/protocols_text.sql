-- SPDX-License-Identifier: BSD-3-Clause
-- Messages by kind and protocol. The unexplained rest of an excess is signed, and a row with
-- almost no waits can be below 0. Text shows 0 for it.
SELECT kind, protocol, count, bytes, blocked_ns, predicted_ns, max(wait_ns, 0) AS wait_ns,
	max(share_pct, 0.0) AS share_pct
FROM protocol_row
ORDER BY 7 DESC, 1, 2
