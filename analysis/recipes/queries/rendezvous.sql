-- SPDX-License-Identifier: BSD-3-Clause
-- Which rendezvous messages wait, and how much too late?
SELECT function, file, line, call, peer, cause, count, max_bytes, wait_ns, earlier_ns
FROM rendezvous_exact
ORDER BY wait_ns DESC, function, line, peer
LIMIT :top
