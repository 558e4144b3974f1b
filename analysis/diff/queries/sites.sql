-- SPDX-License-Identifier: BSD-3-Clause
-- Facts of a run: the innermost frame of each callsite.
SELECT c.rank, c.callsite, c.build_id, c.offset, s.place,
	substr(function, 1, instr(function || ' (inlined', ' (inlined') - 1),
	short_file(coalesce(file, module)), line, NULL
FROM callsite c JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
WHERE frame = 0
