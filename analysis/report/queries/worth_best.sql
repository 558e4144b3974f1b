-- SPDX-License-Identifier: BSD-3-Clause
-- remedy_best: of the remedies that help (worth_tables.sql), the one that is told of: it has the
-- least effort of those that bring nine tenths of the best. A larger S comes last where no setting
-- of it is known. No row if advice is withheld.
CREATE TEMP VIEW remedy_best AS
SELECT bottleneck, remedy, value, gain_ns
FROM (
	SELECT *, row_number() OVER (PARTITION BY bottleneck ORDER BY no_setting, effort) AS nth
	FROM (
		SELECT t.*, t.remedy = 'raise_S' AND b.setting IS NULL AS no_setting,
			max(t.gain_ns) OVER (PARTITION BY t.bottleneck) AS most
		FROM remedy_tried t
		LEFT JOIN bottleneck b ON b.rowid = t.bottleneck
		WHERE t.helps AND NOT (SELECT withheld FROM advice_limits))
	WHERE gain_ns >= 0.9 * most)
WHERE nth = 1;
