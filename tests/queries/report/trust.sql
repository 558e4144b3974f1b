-- SPDX-License-Identifier: BSD-3-Clause
-- case: what limits a report
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 20);
INSERT INTO clock (rank, at_ns, offset_ns, error_ns) VALUES (0, 0, 0, 0), (1, 0, 70, 300);
-- then:
INSERT OR REPLACE INTO rank_time VALUES (0, 'unpredicted', 100), (0, 'tool', 5);
-- rows:
-- no_cpu_pct|unpredicted_pct|clock_error_ns|tool_pct|unconfirmed|cut_short|least|messages
-- 2|10|300|0.5|0|0|0|0

-- case: nothing is said of what the kernel did not say
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM rank_time WHERE part <> 'run';
-- rows: values
-- -|-|-|-|0|0|0|0

-- case: only messages between ranks are predicted
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 200);
-- then:
DELETE FROM rank_time WHERE part <> 'run';
-- rows: values
-- -|-|-|-|0|0|0|1
