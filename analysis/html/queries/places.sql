-- SPDX-License-Identifier: BSD-3-Clause
-- The report's name of each place of the export.
SELECT e.place, min(s.place)
FROM export_site e
JOIN site s USING (rank, callsite)
GROUP BY e.place
