-- SPDX-License-Identifier: BSD-3-Clause
-- case: what a rank did with its time, in parts that do not overlap
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns, tool_ns)
VALUES (0, call('MPI_Send'), 1, 1, 300, 10), (0, call('MPI_Barrier'), 2, 1, 50, 0);
-- then:
DROP VIEW kind_row; DROP VIEW rank_row; DROP TABLE asleep;
INSERT OR REPLACE INTO rank_time VALUES (0, 'waits', 120), (0, 'collective_waits', 20);
-- ask: SELECT * FROM rank_row
-- rows:
-- rank|run_ns|computing_ns|asleep_ns|message_wait_ns|collective_wait_ns|polling_ns|unpredicted_ns|not_returned_ns|tool_ns|other_ns
-- 0|1000|640|0|120|20|0|0|0|10|210
-- 1|900|900|0|0|0|0|0|0|0|0

-- case: the kinds that there are, over all ranks
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (0, call('MPI_Send'), 1, 1, 300);
-- then:
DROP VIEW kind_row; DROP VIEW rank_row; DROP TABLE asleep;
INSERT OR REPLACE INTO rank_time VALUES (0, 'waits', 100);
-- ask: SELECT * FROM kind_row
-- rows:
-- nth|kind|letter|ns|share_pct
-- 1|computing|#|1700|85
-- 3|waiting in messages|w|100|5
-- 8|rest of the time in MPI|m|200|10

-- case: time asleep is no computing, as long as it is outside MPI and of a thread that calls MPI
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns)
VALUES (0, call('MPI_Send'), 1, 1, 300), (1, call('MPI_Send'), 1, 1, 300);
INSERT INTO off_cpu_cell (rank, thread, what, callsite, after, count, ns, max_ns)
SELECT column1, column2, id, 0, 0, 1, column4, column4
FROM (VALUES (0, 0, 'gave_up', 500), (0, 9, 'gave_up', 100), (0, 0, 'preempted', 50), (1, 0, 'gave_up', 800))
JOIN off_cpu_name ON name = column3;
-- then:
DROP VIEW kind_row; DROP VIEW rank_row; DROP TABLE asleep;
-- ask: SELECT rank, computing_ns, asleep_ns FROM rank_row
-- rows:
-- rank|computing_ns|asleep_ns
-- 0|200|500
-- 1|0|700
