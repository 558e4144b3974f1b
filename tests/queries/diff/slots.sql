-- SPDX-License-Identifier: BSD-3-Clause
-- case: when the waits of a callsite were, by their cause or state
-- on: report
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO wait_slot_cell (site, code, slot, ns)
VALUES (pack('site', 'rank=0 callsite=1'), pack('slot_code', 'call=MPI_Recv cause=late_sender'), 3, 40),
	(pack('site', 'rank=1 callsite=2'), pack('slot_code', 'call=MPI_Bcast state=late_member collective'), 5, 50),
	(pack('site', 'rank=1 callsite=2'), pack('slot_code', 'call=MPI_Wait'), 6, 60);
-- rows: values
-- 0|1|MPI_Recv|late_sender|3|40
-- 1|2|MPI_Wait||6|60
-- 1|2|MPI_Bcast|late_member|5|50
