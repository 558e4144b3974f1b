-- SPDX-License-Identifier: BSD-3-Clause
-- Who ended a job that hung, by place: the first three, and how many more.
SELECT rank_list(rank) AS ranks, count(*) AS nranks, place,
	iif(row_number() OVER (ORDER BY min(rank)) = 3 AND count(*) OVER () > 3,
		count(*) OVER () - 3, NULL) AS more
FROM (
	SELECT rank, place
	FROM at_end
	LEFT JOIN site USING (rank, callsite)
	WHERE call = 'MPI_Abort' AND (SELECT state = 'hung' FROM outlook)
	ORDER BY rank)
GROUP BY place
ORDER BY min(rank)
LIMIT 3
