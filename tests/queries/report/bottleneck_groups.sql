-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages of one place, call, protocol and cause are one bottleneck, over pairs and lengths
-- Of two messages of 2400 bytes none has more than 1300: the smaller one has at least 1100. Late receivers have 400 of 600 ns
-- of lateness: in a third of it other messages kept the calls. Eager sends that wait for their receivers are none.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO peer_row SELECT 0, column1, id FROM (VALUES (1, 'node'), (2, 'network')) JOIN tier_name ON name = column2;
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', 1024, 'measured'), (0, 'node', 'LogGPS', 'S_p', 512, 'measured'),
	(0, 'network', 'LogGPS', 'S', 2048, 'unconfirmed'), (0, 'network', 'LogGPS', 'S_p', 2048, 'unconfirmed');
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, progress_ns, other_ns,
	lateness_ns, max_lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 11, 2, 2400, 2,
		300, 20, -50, 500, 400, 1300),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 2, 12, 1, 3000, 1,
		100, 0, 10, 100, 100, 3000),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager cause=late_receiver'), 2, 4, 1, 8, 1,
		90, 0, 0, 90, 90, 8);
-- ask: SELECT place, call, protocol, cause, pairs, count, least_bytes, most_bytes, wait_ns, mean_ns, late_mean_ns,
-- ask: late_longest_ns, elsewhere_pct FROM bottleneck
-- rows:
-- place|call|protocol|cause|pairs|count|least_bytes|most_bytes|wait_ns|mean_ns|late_mean_ns|late_longest_ns|elsewhere_pct
-- unknown|MPI_Send|rendezvous|late_receiver|2|3|1100|3000|420|133|200|400|33.3333

-- case: limits are the least of its links, and unconfirmed where one is
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO peer_row SELECT 0, column1, id FROM (VALUES (1, 'node'), (2, 'network')) JOIN tier_name ON name = column2;
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', 1024, 'measured'), (0, 'node', 'LogGPS', 'S_p', 512, 'measured'),
	(0, 'network', 'LogGPS', 'S', 2048, 'unconfirmed'), (0, 'network', 'LogGPS', 'S_p', 2048, 'unconfirmed');
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, progress_ns, other_ns,
	lateness_ns, max_lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 11, 2, 2400, 2,
		300, 20, -50, 500, 400, 1300),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 2, 12, 1, 3000, 1,
		100, 0, 10, 100, 100, 3000),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager cause=late_receiver'), 2, 4, 1, 8, 1,
		90, 0, 0, 90, 90, 8);
-- ask: SELECT S, S_p, setting, async_progress, unconfirmed FROM bottleneck
-- rows:
-- S|S_p|setting|async_progress|unconfirmed
-- 1024|512|-|-|1

-- case: links to hosts of another kind have their own limits, and confirmed ones say whether receives go on alone
-- Rank 1's host is of the kind whose lowest rank is 1.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO run VALUES (1, 'end_ns', 1000), (1, 'host_kind', 1);
INSERT INTO peer_row SELECT 0, 1, id FROM tier_name WHERE name = 'network';
INSERT INTO link_param (rank, tier, peer, form, model, name, value, source, reason)
VALUES (0, 'network', NULL, NULL, 'LogGPS', 'S', 1024, 'measured', NULL),
	(0, 'network', 1, NULL, 'LogGPS', 'S', 4096, 'measured', NULL),
	(0, 'network', 1, NULL, 'LogGPS', 'S_setting', 4000, 'measured', 'UCX_RNDV_THRESH'),
	(0, 'network', NULL, 'recv', 'LogGPS', 'async_progress', 1, 'measured', NULL);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 5000, 1,
	300, 5000);
-- ask: SELECT tier, other, S, setting, setting_bytes, async_progress, unconfirmed FROM bottleneck, pair_link
-- rows:
-- tier|other|S|setting|setting_bytes|async_progress|unconfirmed
-- network|1|4096|UCX_RNDV_THRESH|4000|1|0

-- case: what the other side did is what most of the sampled time shows
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite, done, gap, complete)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send protocol=rendezvous'), 100, 70, 9999, 1, 1, 1, NULL, NULL,
		NULL),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Irecv kind=recv protocol=rendezvous'), 150, 10, 9999, 0, 1, 1,
		pack('done', 'call=MPI_Wait callsite=2'), 5, 20),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Send kind=send protocol=eager'), 300, 70, 8, 1, 1, 1, NULL, NULL, NULL),
	(first_id(1) + 2, pack('op_code', 'call=MPI_Recv kind=recv protocol=eager'), 350, 10, 8, 0, 1, 1, NULL, NULL, NULL);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, 50, pack('match_code', 'protocol=rendezvous cause=late_receiver waiting=1'),
		50, 0, 0),
	(2, first_id(0) + 2, first_id(1) + 2, 300, 50, pack('match_code', 'protocol=eager cause=flow_control waiting=1'), 0, 0, 0),
	(3, first_id(0) + 2, first_id(1) + 2, 300, 50, pack('match_code', 'protocol=rendezvous'), 0, 0, 0);
INSERT INTO busy_row (id, enter, span, thread) VALUES (first_id(1) + 1, 80, 40, 0), (first_id(1) + 2, 150, 10, 0);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 14, 1, 9999, 1,
	50, 50, 9999);
-- ask: SELECT peer_call, peer_place, peer_done_call, peer_share_pct, inside_pct, synchronous_pct, before_pct FROM bottleneck
-- rows:
-- peer_call|peer_place|peer_done_call|peer_share_pct|inside_pct|synchronous_pct|before_pct
-- MPI_Irecv|-|MPI_Wait|100|40|0|-
