-- SPDX-License-Identifier: BSD-3-Clause
-- Calls that did not wait, as samples: the fastest quarter of each size. Columns of all queries for
-- samples: from, to, kind of sample, bytes, ns, place among its kind.
WITH fast AS (
	SELECT rank, peer, kind, bytes, blocked_ns, row_number() OVER w AS place,
		count(*) OVER (PARTITION BY rank, peer, kind, bytes) AS n
	FROM op
	WHERE peer IS NOT NULL AND peer_world IS NULL AND blocked_ns > 0 AND mode = 'standard'
		AND call IN ('MPI_Send', 'MPI_Recv')
	WINDOW w AS (PARTITION BY rank, peer, kind, bytes ORDER BY blocked_ns)
)
SELECT CASE kind WHEN 'send' THEN rank ELSE peer END, CASE kind WHEN 'send' THEN peer ELSE rank END,
	kind, bytes, blocked_ns, place
FROM fast
WHERE n >= 8 AND 4 * place <= n
