-- SPDX-License-Identifier: BSD-3-Clause
-- case: scales off by more than a tenth, and calls that moved by more than the clock's error
-- The scale of 1.1 and the drift of 1000 ns are at the bound: they do not count. Scales of two ranks are one row.
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO run VALUES (1, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, form, model, name, bytes, value, ci_low, source)
VALUES (0, 'node', 'send', 'live', 'scale', 8, 1.25, NULL, 'learned'), (1, 'node', 'send', 'live', 'scale', 8, 1.35, NULL, 'learned'),
	(0, 'node', 'recv', 'live', 'scale', 8, 1.05, NULL, 'learned'),
	(0, 'network', 'send', 'live', 'drift', 8, 5000, 2000, 'learned'), (0, 'network', 'recv', 'live', 'drift', 8, 3000, 2000, 'learned');
-- rows:
-- tier|name|form|bytes|ranks|value|first_value|count|exact|continues|next_bytes
-- node|scale|send|8|0,1|1.3|-|-|-|0|20
-- network|drift|send|8|0|5000|2000|-|-|0|20

-- case: calls that take more than twice their prediction, and a microsecond more
-- Rendezvous is 900 ns above its prediction, which is less.
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, predicted_ns, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 1, 4, 10, 10000, 31000),
	(0, 1, pack('wait_code', 'call=MPI_Bsend kind=send mode=1 protocol=rendezvous'), 1, 4, 10, 5000, 14000);
-- rows:
-- tier|name|form|bytes|ranks|value|first_value|count|exact|continues|next_bytes
-- -|error|send eager|-|0|3100|1000|10|0|0|-
