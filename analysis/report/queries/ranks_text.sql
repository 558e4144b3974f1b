-- SPDX-License-Identifier: BSD-3-Clause
-- The same as ranks.sql in the columns that fit a line: what is waited for, and the rest of the time in MPI.
SELECT rank, run_ns, computing_ns, asleep_ns, message_wait_ns AS messages_ns, collective_wait_ns AS collectives_ns,
	polling_ns + unpredicted_ns + not_returned_ns + other_ns AS other_ns, tool_ns
FROM rank_row
ORDER BY rank
LIMIT :top
