-- SPDX-License-Identifier: BSD-3-Clause
-- remedy_best: of the remedies that help (worth_tables.sql), the one that is told of: it has the
-- least effort of those that bring nine tenths of the best.
CREATE TEMP VIEW remedy_best AS
SELECT bottleneck, remedy, value, gain_ns
FROM (
	SELECT *, row_number() OVER (PARTITION BY bottleneck ORDER BY effort) AS nth
	FROM (
		SELECT *, max(gain_ns) OVER (PARTITION BY bottleneck) AS most
		FROM remedy_tried
		WHERE helps)
	WHERE gain_ns >= 0.9 * most)
WHERE nth = 1;
