-- SPDX-License-Identifier: BSD-3-Clause
-- The file that a merge fills. A rank is whole in it or not there at all, whatever ends the process. A crash of the
-- machine may lose it: nothing is synced, and all can be made again.

-- query part_settings: for writing by one process
PRAGMA page_size = 16384;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = PERSIST;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;

-- query part_done: the file is whole: it needs no journal any more
PRAGMA journal_mode = DELETE
