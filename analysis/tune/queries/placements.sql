-- SPDX-License-Identifier: BSD-3-Clause
-- Settings that place ranks: NAME=VALUE, or an option of the run's launcher. map: the mapping, as tryst predict --map
-- names it; NULL: the setting binds ranks to CPUs. A mapping needs two hosts.
SELECT p.setting, p.map FROM (
	SELECT 'openmpi' AS shim, 'Open MPI v4%' AS library, 'OMPI_MCA_rmaps_base_mapping_policy=node' AS setting,
		'by-node' AS map
	UNION ALL VALUES ('openmpi', 'Open MPI v4%', 'OMPI_MCA_rmaps_base_mapping_policy=slot', 'by-slot'),
		('openmpi', 'Open MPI v5%', 'PRTE_MCA_rmaps_default_mapping_policy=node', 'by-node'),
		('openmpi', 'Open MPI v5%', 'PRTE_MCA_rmaps_default_mapping_policy=slot', 'by-slot'),
		('openmpi', 'Open MPI v6%', 'PRTE_MCA_mapby=node', 'by-node'),
		('openmpi', 'Open MPI v6%', 'PRTE_MCA_mapby=slot', 'by-slot'),
		('openmpi', 'Open MPI v4%', 'OMPI_MCA_hwloc_base_binding_policy=core', NULL),
		('openmpi', 'Open MPI v4%', 'OMPI_MCA_hwloc_base_binding_policy=none', NULL),
		('openmpi', 'Open MPI v5%', 'PRTE_MCA_hwloc_default_binding_policy=core', NULL),
		('openmpi', 'Open MPI v5%', 'PRTE_MCA_hwloc_default_binding_policy=none', NULL),
		('openmpi', 'Open MPI v6%', 'PRTE_MCA_bindto=core', NULL),
		('openmpi', 'Open MPI v6%', 'PRTE_MCA_bindto=none', NULL), ('mpich', '%', '-ppn=1', 'by-node'),
		('mpich', '%', 'HYDRA_BINDING=core', NULL), ('mpich', '%', 'HYDRA_BINDING=none', NULL)) p
WHERE EXISTS (SELECT 1 FROM run WHERE key = 'shim' AND value = p.shim)
	AND EXISTS (SELECT 1 FROM run WHERE key = 'mpi_library' AND value LIKE p.library)
	AND (p.map IS NULL OR (SELECT count(DISTINCT value) FROM run WHERE key = 'host') > 1)
