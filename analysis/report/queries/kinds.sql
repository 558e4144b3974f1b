-- SPDX-License-Identifier: BSD-3-Clause
-- Time by kind over all ranks (ranks_rows.sql).
SELECT kind, letter, ns AS time_ns, share_pct
FROM kind_row
ORDER BY nth
