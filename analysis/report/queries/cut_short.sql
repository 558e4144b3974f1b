-- SPDX-License-Identifier: BSD-3-Clause
-- Did a rank not come to its end? Not where the job still runs or hangs.
SELECT EXISTS (SELECT 1 FROM at_end)
	AND NOT EXISTS (SELECT 1 FROM outlook WHERE state IN ('runs', 'hangs'))
