-- SPDX-License-Identifier: BSD-3-Clause
-- Which runs these are, and whether they can be compared.
SELECT iif(side = 0, 'A: ', 'B: ') || name || ', ' || coalesce(program, 'unknown program')
	|| printf(', %d rank%s, %,d message%s', ranks, iif(ranks = 1, '', 's'),
		coalesce(messages, 0), iif(messages = 1, '', 's'))
	|| iif(both_sides, '', ', waits as one side can know them') AS text
FROM run
UNION ALL
SELECT printf('The numbers of ranks differ: the tables have sums over all ranks, and what is beyond'
	|| ' the noise is not judged. A rank waited %s in A and %s in B on average.',
	duration(coalesce((SELECT sum(a_ns) FROM row WHERE what = 0), 0)
		/ (SELECT ranks FROM run WHERE side = 0)),
	duration(coalesce((SELECT sum(b_ns) FROM row WHERE what = 0), 0)
		/ (SELECT ranks FROM run WHERE side = 1)))
WHERE (SELECT count(DISTINCT ranks) FROM run) > 1
UNION ALL
SELECT 'These are different programs.'
WHERE (SELECT count(DISTINCT short_file(program)) FROM run) > 1
