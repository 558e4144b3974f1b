-- SPDX-License-Identifier: BSD-3-Clause
-- What did late ranks do while others waited for them?
SELECT rank, what, function, file, line, blame_ns, direct_ns, passed_ns
FROM blame
ORDER BY blame_ns DESC, rank, line
LIMIT :top
