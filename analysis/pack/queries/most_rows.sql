-- SPDX-License-Identifier: BSD-3-Clause
-- The most rows that any table has of those that thin.sql cuts to a number of rows.
SELECT max((SELECT count(*) FROM match_row), (SELECT count(*) FROM rma_row), (SELECT count(*) FROM io_row)) AS rows;
