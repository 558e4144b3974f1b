-- SPDX-License-Identifier: BSD-3-Clause
-- case: a wait is split by cause, and is counted under the cause it is mostly for
-- A send waited three times for its receive, and once mostly for its progress. The last cell has no cause: it did not wait.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, progress_ns, order_ns,
	flow_ns, contention_ns, other_ns, max_lateness_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 4, 3, 24, 3,
		300, 20, 0, 0, 0, -5, 150),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_progress'), 1, 4, 1, 8, 1,
		0, 60, 0, 0, 0, 0, 0),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 2, 16, 2,
		100, 0, 30, 7, 8, 9, 90),
	(0, 3, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 4, 2, 16, 0, 0, 0, 0, 0, 0, 11, 0);
-- ask: SELECT callsite, kind, protocol, peer, cause, waits, bytes, ns, longest_ns FROM exact_part
-- ask: ORDER BY callsite, ns DESC
-- rows:
-- callsite|kind|protocol|peer|cause|waits|bytes|ns|longest_ns
-- 1|send|rendezvous|1|late_receiver|3|24|300|150
-- 1|send|rendezvous|1|late_progress|1|8|60|0
-- 1|send|rendezvous|1|late_progress|0|0|20|0
-- 1|send|rendezvous|1|unexplained|0|0|-5|0
-- 2|recv|eager|1|late_sender|2|16|100|90
-- 2|recv|eager|1|wrong_order|0|0|30|0
-- 2|recv|eager|1|unexplained|0|0|9|0
-- 2|recv|eager|1|contention|0|0|8|0
-- 2|recv|eager|1|flow_control|0|0|7|0

-- case: CPU loss is taken out of unexplained time, where the protocol is known
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, bytes, waits, late_ns, other_ns, no_cpu_ns, other_no_cpu_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=no_cpu'), 1, 2, 16, 2, 5, 100, 85, 80),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv cause=no_cpu'), 1, 2, 16, 2, 0, 100, 80, 80);
-- ask: SELECT callsite, cause, waits, ns FROM exact_part ORDER BY callsite, ns DESC
-- rows:
-- callsite|cause|waits|ns
-- 1|no_cpu|2|80
-- 1|unexplained|0|20
-- 1|late_sender|0|5

-- case: unexplained time counts where the protocol is known, and shares are of what was waited
-- 40 ns of an unknown protocol are left out. -30 ns take something off their rank's waiting, but are none themselves.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 100, -30),
	(1, 1, pack('exact_code', 'call=MPI_Recv kind=recv cause=late_sender'), 0, 1, 1, 200, 40);
-- ask: SELECT s.ns AS waited_ns, rank, t.ns FROM waited_sum s, rank_time t WHERE part = 'waits' ORDER BY rank
-- rows:
-- waited_ns|rank|ns
-- 300|0|70
-- 300|1|200

-- case: waits without a row are what the profile has beyond the live waits of rows
-- Rank 0 dropped rows, rank 1 none: there the rest is the difference between both ways to know it.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (0, 'dropped_ops', 5), (1, 'dropped_ops', 0);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 4, 9, 500),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 5, 9, 200),
	(0, 2, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 9, 900),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 0, 4, 9, 500);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, live_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager'), 1, 4, 0, 600),
	(1, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager'), 0, 4, 0, 100);
-- ask: SELECT e.rank, callsite, cause, waits, bytes, e.ns, t.ns AS without_rows_ns FROM exact_part e
-- ask: LEFT JOIN rank_time t ON t.rank = e.rank AND t.part = 'messages_without_rows'
-- rows:
-- rank|callsite|cause|waits|bytes|ns|without_rows_ns
-- 0|1|not_recorded|0|-|100|100

-- case: a callsite has the name of a function where it is of one alone, and threads are told apart where there are several
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, thread, call, callsite, count)
VALUES (0, 0, call('MPI_Send'), 1, 1), (0, 0, call('MPI_Recv'), 2, 1), (0, 0, call('MPI_Send'), 2, 1),
	(1, 0, call('MPI_Send'), 1, 1), (1, 1, call('MPI_Send'), 1, 1);
-- ask: SELECT s.rank, callsite, call, t.rank AS threaded FROM site_call s LEFT JOIN threaded t USING (rank)
-- rows:
-- rank|callsite|call|threaded
-- 0|1|MPI_Send|-
-- 1|1|MPI_Send|1

-- case: waits in collectives add up by whom they were for, and the longest is kept
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, done, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 30, 2, 1, NULL, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 50, 2, 1, NULL, 0),
	(3, 0, 3, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 10, 3, 1, NULL, 0),
	(4, 0, 4, 1, pack('coll_wait_code', 'call=MPI_Ibarrier state=wait_at_barrier'), 20, NULL, 1,
		pack('done', 'call=MPI_Wait callsite=4'), 0);
-- ask: SELECT n.name AS call, s.name AS state, late_rank, d.name AS done, done_callsite, count, ns, longest_ns FROM coll_part
-- ask: JOIN call_name n ON n.id = call JOIN coll_state_name s ON s.id = state LEFT JOIN call_name d ON d.id = done_call
-- ask: ORDER BY ns DESC
-- rows:
-- call|state|late_rank|done|done_callsite|count|ns|longest_ns
-- MPI_Bcast|late_broadcast|2|-|-1|2|80|50
-- MPI_Ibarrier|wait_at_barrier|-1|MPI_Wait|4|1|20|20
-- MPI_Bcast|late_broadcast|3|-|-1|1|10|10

-- case: sends that found no room are not among those that cannot have waited
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, predicted_ns, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 1, 4, 10, 1000, 1900);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, flow_ns, excess_ns, blocked_ns, live_blocked_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager cause=flow_control'), 1, 2, 2,
	500, 500, 700, 710);
-- ask: SELECT u.*, both_sides FROM unblocked u, unblocked_by
-- rows:
-- rank|kind|protocol|count|predicted_ns|blocked_ns|both_sides
-- 0|send|eager|8|800|1190|1

-- case: what both sides tell of unpredicted messages is not unpredicted time
-- 100 ns were blocked; by both sides 80, of which 50 are a wait. The rest is unknown.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 100);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, blocked_ns, live_blocked_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv no_prediction cause=late_sender'), 1, 1, 1, 50, 80, 100);
-- ask: SELECT rank, ops, blocked_ns, ns FROM unpredicted
-- rows:
-- rank|ops|blocked_ns|ns
-- 0|1|100|30

-- case: time in collectives gets back what their call's messages had
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (0, call('MPI_Bcast'), 1, 1, 100);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, blocked_ns, live_blocked_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 60, 85);
-- ask: SELECT rank, part, ns FROM rank_time WHERE part = 'collectives'
-- rows:
-- rank|part|ns
-- 0|collectives|125
