-- SPDX-License-Identifier: BSD-3-Clause
-- Groups of callsites within which those of both runs are put together, one after the other.

-- query same_unit: by function, file and call
SELECT id, side, pos, dense_rank() OVER (ORDER BY function, unit, call) AS g FROM element
ORDER BY g, side, pos

-- query same_function: callsites still without a partner, by function and call
SELECT id, side, pos, dense_rank() OVER (ORDER BY function, call) AS g FROM element
WHERE mate IS NULL AND function <> '' ORDER BY g, side, unit, pos

-- query mate: the partner of a callsite
UPDATE element SET mate = ?2 WHERE id = ?1
