-- SPDX-License-Identifier: BSD-3-Clause
-- case: polling and other calls from a twentieth of the run on, where most of it is
-- Rank 0 polls for 60 of 1000 ns, and is in a fence for 49: a twentieth is 50.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns)
VALUES (0, call('MPI_Iprobe'), 1, 9, 20), (0, call('MPI_Iprobe'), 2, 9, 40), (0, call('MPI_Win_fence'), 3, 1, 49);
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/bin/ring');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function)
VALUES (0, 1, 0, 1, 16, 'few'), (0, 2, 0, 1, 32, 'most');
-- ask: SELECT nth, what, share_pct, call, place, waits_pct, why FROM besides ORDER BY nth
-- rows:
-- nth|what|share_pct|call|place|waits_pct|why
-- 2|polling|6|MPI_Iprobe|most|-|-

-- case: other calls, with the part of them that blame knows to be waits
-- Blame has 5120 / 256 = 20 ns; messages and collectives have none of them.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (0, call('MPI_Win_fence'), 3, 1, 50);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, passed) VALUES (0, 1, 1, 0, 3072, 2048);
-- ask: SELECT nth, what, share_pct, call, place, waits_pct, why FROM besides ORDER BY nth
-- rows:
-- nth|what|share_pct|call|place|waits_pct|why
-- 3|other_calls|5|MPI_Win_fence|unknown|2|-

-- case: waits of messages without rows, from a hundredth on, and why there are no rows
-- Live, receives waited 10 ns; of none of them there is a row.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'dropped_ops', 5),
	(0, 'lost_reason', 'No space left on device');
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 5, 10);
-- ask: SELECT nth, what, share_pct, call, place, waits_pct, why FROM besides ORDER BY nth
-- rows:
-- nth|what|share_pct|call|place|waits_pct|why
-- 1|messages_without_rows|1|-|-|-|No space left on device
