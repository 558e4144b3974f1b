-- SPDX-License-Identifier: BSD-3-Clause
-- case: on one host ranks can only be bound
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v4.1.4, package'), (0, 'host', 'a'),
	(1, 'host', 'a');
-- rows: values
-- OMPI_MCA_hwloc_base_binding_policy=core|-
-- OMPI_MCA_hwloc_base_binding_policy=none|-
-- case: on two hosts they can be mapped, too
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v5.0.7, package'), (0, 'host', 'a'),
	(1, 'host', 'b');
-- rows: values
-- PRTE_MCA_rmaps_default_mapping_policy=node|by-node
-- PRTE_MCA_rmaps_default_mapping_policy=slot|by-slot
-- PRTE_MCA_hwloc_default_binding_policy=core|-
-- PRTE_MCA_hwloc_default_binding_policy=none|-
-- case: the names of Open MPI 6
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'openmpi'), (0, 'mpi_library', 'Open MPI v6.0.0rc2, package'), (0, 'host', 'a'),
	(1, 'host', 'b');
-- rows: values
-- PRTE_MCA_mapby=node|by-node
-- PRTE_MCA_mapby=slot|by-slot
-- PRTE_MCA_bindto=core|-
-- PRTE_MCA_bindto=none|-
-- case: MPICH's launcher binds, and maps by an option
-- on: schema
INSERT INTO run VALUES (0, 'shim', 'mpich'), (0, 'mpi_library', 'MPICH Version: 4.0.2'), (0, 'host', 'a'),
	(1, 'host', 'b');
-- rows: values
-- -ppn=1|by-node
-- HYDRA_BINDING=core|-
-- HYDRA_BINDING=none|-
