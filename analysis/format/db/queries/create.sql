-- SPDX-License-Identifier: BSD-3-Clause
-- A file that is being made: the caller makes it whole and renames it.

-- query create: for fast writing by one process
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -4096;
