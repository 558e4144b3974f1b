-- SPDX-License-Identifier: BSD-3-Clause
-- Which messages belong to a bottleneck: those posted at these callsites, of this kind, protocol
-- and cause.
SELECT b.rowid, s.rank, s.callsite, kind = 'send', coalesce(p.id, 0), c.id
FROM bottleneck b
JOIN site s ON s.place = b.place
JOIN cause_name c ON c.name = b.cause
LEFT JOIN protocol_name p ON p.name = b.protocol
