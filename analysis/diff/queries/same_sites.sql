-- SPDX-License-Identifier: BSD-3-Clause
-- id: what is equal in both runs, or in all of a scaling study. Sites of a module that all ran keep their offset; sites.c finds
-- the others.
CREATE TEMP TABLE both_have AS
SELECT build_id FROM site WHERE build_id IS NOT NULL
GROUP BY build_id HAVING count(DISTINCT side) = max(2, (SELECT count(*) FROM run));

UPDATE site SET id = CASE WHEN callsite < 0 THEN place
	WHEN build_id IN (SELECT build_id FROM both_have) THEN build_id || '+' || offset END;

-- A function without lines can have several: their offsets tell them apart.
UPDATE site SET place = place || printf(' (+0x%x)', offset)
WHERE (line IS NULL OR id IS NOT NULL) AND place IN (
	SELECT place FROM site WHERE function IS NOT NULL
	GROUP BY side, rank, place HAVING count(DISTINCT offset) > 1);
