-- SPDX-License-Identifier: BSD-3-Clause
-- All that an analysis writes.
DELETE FROM match_row;
DELETE FROM collective_wait_row;
DELETE FROM exact_cell;
DELETE FROM exact_done_cell;
DELETE FROM match_summary_cell;
DELETE FROM match_info;
DELETE FROM accuracy_cell;
DELETE FROM model_lost_cell;
DELETE FROM alone_row;
DELETE FROM unhidden_cell;
DELETE FROM wait_slot_cell;
DELETE FROM blame_cell;
DELETE FROM blame_of_row;
DELETE FROM critical_path_cell;
DROP TABLE IF EXISTS scenario;
DROP TABLE IF EXISTS scenario_rank;
DROP TABLE IF EXISTS scenario_callsite;
DROP TABLE IF EXISTS scenario_path;
