-- SPDX-License-Identifier: BSD-3-Clause
-- What is read of a run before its rows.

-- query comms: communicators of each rank
SELECT rank, comm, uid, size, coalesce(remote_size, 0), my_rank, coalesce(parent, -1) FROM comm_row
ORDER BY rank, comm

-- query objects: windows (0) and files (1) of each rank
SELECT rank, 0, window, uid, comm FROM rma_window WHERE uid NOT NULL AND comm NOT NULL
UNION ALL SELECT rank, 1, file, uid, comm FROM io_file WHERE uid NOT NULL AND comm NOT NULL ORDER BY 1, 2, 3

-- query losses: where the time of each rank ends, and what has no rows
SELECT rank, key, value FROM run WHERE key IN ('ops_left_out', 'end_ns', 'lost_bytes', 'missing_chunks',
	'damaged_bytes', 'damaged_records', 'damaged_regions', 'ring_missing', 'spool_missing') OR key GLOB 'dropped_*'

-- query partial: ranks whose file could be read in part
SELECT rank FROM input WHERE state = 'partial'

-- query takes_matched: ranks that received messages that they had probed by MPI_Mprobe or MPI_Improbe
SELECT DISTINCT rank FROM call_cell_fields WHERE takes_matched

-- query has_transfers: are there rows of one-sided operations or of files?
SELECT EXISTS (SELECT 1 FROM rma_row) OR EXISTS (SELECT 1 FROM io_row)

-- query file: the file of rank ?1
SELECT file FROM input WHERE rank = ?
