-- SPDX-License-Identifier: BSD-3-Clause
-- The critical path.

-- query path_cells: all cells of the critical path
SELECT rank, thread, what, callsite, after, path_ns FROM critical_path_cell

-- query path_imbalance: the imbalance of one of them
UPDATE critical_path_cell SET imbalance_ns = ?6
WHERE rank = ?1 AND thread = ?2 AND what = ?3 AND callsite = ?4 AND after = ?5
