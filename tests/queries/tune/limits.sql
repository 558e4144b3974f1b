-- SPDX-License-Identifier: BSD-3-Clause
-- case: the setting of each tier, once for all ranks
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v4.1.4, package');
INSERT INTO link_param (rank, tier, model, name, value, reason, source)
VALUES (0, 'node', 'LogGPS', 'S_setting', 4096, 'btl_vader_eager_limit', 'measured'),
	(1, 'node', 'LogGPS', 'S_setting', 4096, 'btl_vader_eager_limit', 'measured'),
	(0, 'network', 'LogGPS', 'S_setting', 65536, 'btl_tcp_eager_limit', 'measured');
-- rows: values
-- 1|0|btl_vader_eager_limit|4096
-- 0|1|btl_tcp_eager_limit|65536
-- case: MPICH without a setting that is known to govern has that of UCX
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'mpich'), (0, 'mpi_library', 'MPICH Version: 4.0.2');
-- rows: values
-- 1|1|UCX_RNDV_THRESH|4096
-- case: Open MPI without one has those of its version
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v5.0.7, package');
-- rows: values
-- 1|0|btl_sm_eager_limit|4096
-- 0|1|btl_tcp_eager_limit|65536
-- case: Open MPI 6 has those of 5, and 4 has another name
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v6.0.0rc2, package'),
	(1, 'mpi_library', 'Open MPI v4.1.4, package');
-- rows: values
-- 1|0|btl_sm_eager_limit|4096
-- 1|0|btl_vader_eager_limit|4096
-- 0|1|btl_tcp_eager_limit|65536
-- case: a setting of two tiers is one row, with the least value that any rank has
-- on: schema
INSERT INTO link_param (rank, tier, model, name, value, reason, source)
VALUES (0, 'node', 'LogGPS', 'S_setting', 8192, 'UCX_RNDV_THRESH', 'measured'),
	(1, 'node', 'LogGPS', 'S_setting', 4096, 'UCX_RNDV_THRESH', 'measured'),
	(0, 'network', 'LogGPS', 'S_setting', 8192, 'UCX_RNDV_THRESH', 'measured');
-- rows: values
-- 1|1|UCX_RNDV_THRESH|4096
