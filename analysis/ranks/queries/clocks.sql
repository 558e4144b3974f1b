-- SPDX-License-Identifier: BSD-3-Clause
-- The clocks of the ranks.

-- query clock_readings: all readings; older files lack the last column, reference
SELECT * FROM clock ORDER BY rank, at_ns

-- query clear_clocks: what is written anew
DELETE FROM clock;
DELETE FROM clock_cell;
