-- SPDX-License-Identifier: BSD-3-Clause
-- Which messages belong to a bottleneck: those posted at these callsites, of this kind, protocol
-- and cause. A place that has no line may have several calls: the cells tell which is the
-- bottleneck's.
SELECT b.rowid, e.rank, e.callsite, b.kind = 'send', coalesce(p.id, 0), c.id
FROM (
	SELECT rank, callsite, call_id, kind, protocol, cause
	FROM exact_cell_fields
	WHERE cause NOT NULL
	UNION
	SELECT rank, callsite, call_id, kind, protocol, 'unhidden_transfer'
	FROM unhidden_cell_fields) e
LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
JOIN bottleneck b ON b.place = coalesce(s.place, 'unknown') AND b.fn = e.call_id AND b.kind = e.kind
	AND b.protocol IS e.protocol AND b.cause = e.cause
JOIN cause_name c ON c.name = b.cause
LEFT JOIN protocol_name p ON p.name = b.protocol
ORDER BY b.rowid, e.rank, e.callsite
