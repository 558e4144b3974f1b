-- SPDX-License-Identifier: BSD-3-Clause
-- blame_row: activities of late ranks. doing: the name of the activity. place: of the call, or of the call
-- after the activity; after: of the call before the activity. no_cpu_ns, blocked_outside_ns: the parts of
-- blame_ns in which the rank was ready to run without a CPU, and in which it slept or was blocked.
CREATE TEMP VIEW blame_row AS
SELECT b.rank, b.thread, doing(b.what) AS doing,
	iif(doing(b.what) = 'call', k.call, NULL) AS call,
	iif(doing(b.what) = 'call', coalesce(s.place, 'unknown'), s.place) AS place,
	iif(doing(b.what) = 'call', NULL, a.place) AS after,
	CAST(total(direct) / 256 AS INTEGER) AS direct_ns,
	CAST(total(passed) / 256 AS INTEGER) AS passed_ns,
	CAST((total(direct) + total(passed)) / 256 AS INTEGER) AS blame_ns,
	CAST(total(no_cpu) / 256 AS INTEGER) AS no_cpu_ns,
	CAST(total(blocked) / 256 AS INTEGER) AS blocked_outside_ns
FROM blame_cell b
LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite
LEFT JOIN site_call k ON k.rank = b.rank AND k.callsite = b.callsite
LEFT JOIN site a ON a.rank = b.rank AND a.callsite = b.after
GROUP BY 1, 2, 3, 4, 5, 6;
