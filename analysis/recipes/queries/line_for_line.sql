-- SPDX-License-Identifier: BSD-3-Clause
-- Which line waits for which line of the other side?
SELECT function, file, line, call, peer_function, peer_file, peer_line, peer_call, cause, waits, wait_ns
FROM waits_between_lines
ORDER BY wait_ns DESC, function, line
LIMIT :top
