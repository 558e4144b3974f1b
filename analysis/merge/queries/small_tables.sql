-- SPDX-License-Identifier: BSD-3-Clause
-- How a table is stored: its statement, its number of columns, whether column 0 is the rowid, and
-- whether the columns of the key come first, as in records of tables WITHOUT ROWID.
SELECT m.name, m.sql, (SELECT count(*) FROM pragma_table_info(m.name)),
	m.sql NOT LIKE '%WITHOUT ROWID' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name)
		WHERE cid = 0 AND pk = 1 AND type = 'INTEGER'),
	NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE pk AND pk <> cid + 1)
FROM sqlite_master m
WHERE m.type = 'table' AND m.name = ?
