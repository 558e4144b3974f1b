-- SPDX-License-Identifier: BSD-3-Clause
-- What others need not know goes out of a copy of run.db: paths, the program's arguments, names of hosts, and names
-- that the program gave. Functions, base names of files, and lines stay. Of the MPI library its name and version stay:
-- behind them may be who built it, and where. Equal names of hosts, phases and communicators stay equal.
CREATE TEMP TABLE host_number AS
SELECT DISTINCT value AS host, dense_rank() OVER (ORDER BY value) AS n FROM run WHERE key = 'host';
CREATE TEMP TABLE boot_number AS
SELECT DISTINCT value AS boot, dense_rank() OVER (ORDER BY value) AS n FROM run WHERE key = 'boot_id';
CREATE TEMP TABLE phase_number AS
SELECT name, dense_rank() OVER (ORDER BY name) AS n
FROM (SELECT name FROM phase_row UNION SELECT name FROM phase_cell) WHERE name <> '';
CREATE TEMP TABLE comm_number AS SELECT DISTINCT uid, dense_rank() OVER (ORDER BY uid) AS n FROM comm_row;

DELETE FROM run WHERE key IN ('arguments', 'TRYST_STARTED', 'TRYST_SPAWNED');
UPDATE run SET value = 'host' || (SELECT n FROM host_number WHERE host = value) WHERE key = 'host';
UPDATE run SET value = 'boot' || (SELECT n FROM boot_number WHERE boot = value) WHERE key = 'boot_id';
UPDATE run SET value = replace(value, rtrim(value, replace(value, '/', '')), '') WHERE key = 'program';
UPDATE run SET value = '...'
WHERE (key IN ('TRYST_DIR', 'TRYST_LINKS', 'TRYST_CACHE', 'TRYST_LIBUNWIND') AND value <> '')
	OR (key NOT IN ('program', 'mpi_library') AND instr(value, '/') > 0);
UPDATE run SET value = substr(value, 1, instr(value || ',', ',') - 1) WHERE key = 'mpi_library';
UPDATE module_row SET path = replace(path, rtrim(path, replace(path, '/', '')), '') WHERE instr(path, '/') > 0;
UPDATE frame_row SET file = replace(file, rtrim(file, replace(file, '/', '')), '') WHERE instr(file, '/') > 0;
UPDATE input SET file = '' WHERE file IS NOT NULL;
UPDATE comm_row SET name = 'communicator ' || (SELECT n FROM comm_number c WHERE c.uid = comm_row.uid)
WHERE name NOT GLOB 'MPI_COMM_*';
UPDATE rma_window SET name = 'window ' || window WHERE name <> '';
UPDATE io_file SET name = 'file ' || file WHERE name <> '';
UPDATE phase_row SET name = 'phase ' || (SELECT n FROM phase_number p WHERE p.name = phase_row.name) WHERE name <> '';
UPDATE phase_cell SET name = 'phase ' || (SELECT n FROM phase_number p WHERE p.name = phase_cell.name) WHERE name <> '';

-- Scenarios contain texts of the user.
DROP TABLE IF EXISTS scenario;
DROP TABLE IF EXISTS scenario_rank;
DROP TABLE IF EXISTS scenario_callsite;
DROP TABLE IF EXISTS scenario_path;
