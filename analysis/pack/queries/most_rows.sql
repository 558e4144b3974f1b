-- SPDX-License-Identifier: BSD-3-Clause
-- The number of rows of the longest table that thin.sql shortens.
SELECT max((SELECT count(*) FROM match_row), (SELECT count(*) FROM rma_row), (SELECT count(*) FROM io_row)) AS rows;
