-- SPDX-License-Identifier: BSD-3-Clause
-- Where does the critical path of the run spend its time?
SELECT rank, what, function, file, line, path_ns, percent
FROM critical_path
ORDER BY path_ns DESC, rank, line
LIMIT :top
