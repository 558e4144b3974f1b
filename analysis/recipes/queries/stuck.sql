-- SPDX-License-Identifier: BSD-3-Clause
-- Which calls had not returned when the ranks were last seen?
SELECT rank, thread, call, peer, tag, bytes, age_ns, function, file, line
FROM in_call
ORDER BY age_ns DESC, rank
LIMIT :top
