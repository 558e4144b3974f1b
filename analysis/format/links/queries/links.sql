-- SPDX-License-Identifier: BSD-3-Clause
-- Files of link parameters.

-- query schema: layout.c compares these statements to the letter
PRAGMA application_id = 0x7472736c;
PRAGMA user_version = 1;
CREATE TABLE fingerprint (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE link_param (tier TEXT NOT NULL, peer INTEGER, form TEXT, layout TEXT, model TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER, value REAL, unit TEXT, ci_low REAL, ci_high REAL, source TEXT, reason TEXT);

-- query origin_schema: older files have no such table
CREATE TABLE origin (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- query fingerprint: all keys of what the parameters were measured on
SELECT key, value FROM fingerprint

-- query fingerprint_value: one of them
SELECT value FROM fingerprint WHERE key = ?

-- query parameters: all, in the order in which they were written
SELECT * FROM link_param ORDER BY rowid

-- query origin: when they were measured, and by what
SELECT (SELECT value FROM origin WHERE key = 'measured_at'), (SELECT value FROM origin WHERE key = 'by')

-- query write_origin: the same, written
INSERT INTO origin VALUES ('measured_at', ?1), ('by', ?2)
