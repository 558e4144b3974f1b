-- SPDX-License-Identifier: BSD-3-Clause
-- Single values of table run. ?1: the key.

-- query run_value: of rank ?2
SELECT value FROM run WHERE rank = ?2 AND key = ?1

-- query run_any: of any rank
SELECT value FROM run WHERE key = ?1 LIMIT 1

-- query run_sum: over all ranks
SELECT sum(value) FROM run WHERE key = ?1

-- query run_world: the last rank, and the least and the largest world size of all ranks
SELECT max(rank), min(CAST(value AS INTEGER)), max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size'
