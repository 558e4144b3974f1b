-- SPDX-License-Identifier: BSD-3-Clause
-- The number of the scenario with changes ?1, or the next free number if there is none.
SELECT coalesce((SELECT scenario FROM main.scenario WHERE changes = ?1),
	(SELECT max(scenario) + 1 FROM main.scenario), 1)
