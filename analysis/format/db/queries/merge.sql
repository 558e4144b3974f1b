-- SPDX-License-Identifier: BSD-3-Clause
-- What a merge adds to the tables of a rank. layout.c compares these statements to the letter.

-- query merge_tables: what was merged, and how
CREATE TABLE IF NOT EXISTS input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
CREATE TABLE IF NOT EXISTS merge_info (key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;

-- query merge_index: made when all rows are there
CREATE INDEX IF NOT EXISTS run_key ON run (key, rank, value);
