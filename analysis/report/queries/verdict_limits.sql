-- SPDX-License-Identifier: BSD-3-Clause
-- verdict_limits: what a verdict must not leave out. least: shares are lower bounds. unseen:
-- they are of the time up to the ranks' last record. besides: it goes on behind the waits.
-- outlook: it begins with what became of the job. unpredicted: it begins with the lack of predictions.
CREATE TEMP VIEW verdict_limits AS
SELECT coalesce(alone, 0) AS alone, coalesce(ends, 0) OR EXISTS (SELECT 1 FROM doubt) OR worthy.said AS ends,
	coalesce(outlook.said, 0) OR EXISTS (SELECT 1 FROM doubt) OR worthy.said AS said,
	EXISTS (SELECT 1 FROM bound) AS least, EXISTS (SELECT 1 FROM unseen_end) AS unseen,
	EXISTS (SELECT 1 FROM besides) AS besides,
	EXISTS (SELECT 1 FROM besides WHERE what = 'other_calls') AS other_calls,
	EXISTS (SELECT 1 FROM in_windows) AS windows, coalesce(outlook.said, 0) AS outlook,
	EXISTS (SELECT 1 FROM doubt WHERE why = 'unpredicted') AS unpredicted, hedge.*
FROM (
	SELECT EXISTS (SELECT 1 FROM worth_told, worth_run WHERE worth_ns > interval_ns AND NOT chance) OR EXISTS (
		SELECT 1
		FROM pattern_gain, worth_run
		WHERE gain_ns > interval_ns AND bare_ns > interval_ns
			AND NOT (SELECT withheld FROM advice_limits)) AS said) worthy
LEFT JOIN outlook
LEFT JOIN hedge;
