-- SPDX-License-Identifier: BSD-3-Clause
-- How long did the run take, and over how many ranks and threads are its times summed? One row:
-- elapsed_ns, ranks, threads. Needs the report's summed.
SELECT (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns') AS elapsed_ns, ranks,
	threads
FROM summed
WHERE threads > 0
