-- SPDX-License-Identifier: BSD-3-Clause
-- case: a table whose first column is its rowid
CREATE TABLE t (a INTEGER PRIMARY KEY, b);
-- bind: t
-- rows: values
-- t|CREATE TABLE t (a INTEGER PRIMARY KEY, b)|2|1|1

-- case: one without rowids, whose key comes first
CREATE TABLE t (a INTEGER, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
-- bind: t
-- rows: values
-- t|CREATE TABLE t (a INTEGER, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID|3|0|1

-- case: one whose key does not come first
CREATE TABLE t (a, b, PRIMARY KEY (b)) WITHOUT ROWID;
-- bind: t
-- rows: values
-- t|CREATE TABLE t (a, b, PRIMARY KEY (b)) WITHOUT ROWID|2|0|0

-- case: a view is no table
CREATE VIEW t AS SELECT 1 AS a;
-- bind: t
-- rows: values
