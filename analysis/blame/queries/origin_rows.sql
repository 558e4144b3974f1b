-- SPDX-License-Identifier: BSD-3-Clause
-- All waits at the places of the bottlenecks that origins.sql found.
SELECT o.rank, o.callsite, o.code, b.n
FROM blame_of_row b
JOIN origin first ON first.rank = b.rank AND first.callsite = b.callsite AND first.code = b.code
JOIN origin o ON o.place = first.place AND o.code = first.code
ORDER BY o.rank, o.callsite, o.code
