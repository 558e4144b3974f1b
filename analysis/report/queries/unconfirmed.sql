-- SPDX-License-Identifier: BSD-3-Clause
-- unconfirmed(text): what the verdict says where links between ranks have numbers that nothing
-- confirmed; one row, "" where there are none, or where nothing was predicted by them.
CREATE TEMP TABLE unconfirmed AS
SELECT iif(count(*) = 0 OR coalesce((SELECT alone FROM outlook), 0), '',
		' Predictions rest on unconfirmed link numbers, '
		|| iif(min(said) = max(said), min(said), 'of several sets')
		|| ': this launch could not measure (see LINKS).') AS text
FROM (
	SELECT measured_ago(max(value) FILTER (WHERE name = 'age'),
			max(reason) FILTER (WHERE name = 'age')) AS said
	FROM link_param
	WHERE tier <> 'self' AND source = 'unconfirmed'
	GROUP BY rank, tier, peer);
