-- SPDX-License-Identifier: BSD-3-Clause
-- Which waits were the longest, as one side knows them?
SELECT rank, call, peer, bytes, wait_ns, cause_hint, function, file, line
FROM waits
ORDER BY wait_ns DESC, rank, op_id
LIMIT :top
