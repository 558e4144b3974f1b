-- SPDX-License-Identifier: BSD-3-Clause
-- Tables and views that users read: not the packed records behind the views, and not the names of numbers.

-- query public_tables: all, in the order of schema.sql
SELECT name FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE '%\_row' ESCAPE '\' AND name NOT LIKE '%\_cell' ESCAPE '\'
	AND name NOT LIKE '%\_name' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY rowid

-- query named_tables: without the views of packed records
SELECT name FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE '%\_row' ESCAPE '\' AND name NOT LIKE '%\_cell' ESCAPE '\'
	AND name NOT LIKE '%\_name' ESCAPE '\' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
	AND name NOT LIKE '%\_fields' ESCAPE '\'
ORDER BY rowid

-- query column_repeats: how many tables for users have the column ?1
SELECT count(*)
FROM sqlite_master m, pragma_table_info(m.name) p
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE '%\_row' ESCAPE '\' AND m.name NOT LIKE '%\_cell' ESCAPE '\'
	AND m.name NOT LIKE '%\_name' ESCAPE '\' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND p.name = ?1
