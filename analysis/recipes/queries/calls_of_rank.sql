-- SPDX-License-Identifier: BSD-3-Clause
-- What did rank 0 call, in the order of time?
SELECT enter_ns, leave_ns, call, peer, bytes, function, line
FROM calls
WHERE rank = 0
ORDER BY enter_ns, thread
LIMIT :top
