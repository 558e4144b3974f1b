-- SPDX-License-Identifier: BSD-3-Clause
-- What the other records refer to. ?1: the rank. A definition may come more than once, and after its name.

-- query comm: a communicator
INSERT INTO comm_row VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL)
ON CONFLICT (rank, comm) DO UPDATE SET uid = ?3, parent = ?4, maker = ?5, size = ?6, my_rank = ?7,
	remote_size = ?8, peer_world = ?9

-- query comm_name: its name
INSERT INTO comm_row (rank, comm, name) VALUES (?1, ?2, ?3)
ON CONFLICT (rank, comm) DO UPDATE SET name = ?3

-- query window: a window
INSERT INTO rma_window VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)
ON CONFLICT (rank, window) DO UPDATE SET uid = ?3, comm = ?4, maker = ?5, bytes = ?6, disp_unit = ?7

-- query window_name: its name
INSERT INTO rma_window (rank, window, name) VALUES (?1, ?2, ?3)
ON CONFLICT (rank, window) DO UPDATE SET name = ?3

-- query links: the parameters of links as the shim had them
SELECT * FROM link_param WHERE model = 'LogGPS' ORDER BY rowid
