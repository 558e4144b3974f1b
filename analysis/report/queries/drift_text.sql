-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words. unblocked_told: which calls unblocked has, and what else than the machine
-- may have slowed them.
SELECT text
FROM (
	SELECT tier, name, tier || CASE name
		WHEN 'scale' THEN ': caches hold repeated messages, or memory is busy: of the '
			|| 'calibrated times, messages took and predictions are '
		WHEN 'scale_next' THEN ': the same of further ones in one call: '
		ELSE ': the shortest calls differ from their prediction: ' END
		|| group_concat(part, ', ') AS text
	FROM (
		SELECT tier, name, iif(name LIKE 'scale%',
				printf('%.2g from %s to %s', avg(value), size(bytes),
					size(2 * bytes + 4)),
				printf('%s of %s by %s at first, %s at last', form, size(bytes),
					duration(avg(ci_low)), duration(avg(value)))) AS part
		FROM link_param
		WHERE ((name LIKE 'scale%' AND abs(value - 1) > 0.1)
				OR (name = 'drift' AND abs(value - ci_low) > 1000))
		GROUP BY tier, name, form, bytes
		ORDER BY form, bytes)
	GROUP BY tier, name
	UNION ALL SELECT NULL, 'error',
		printf('%s %s: %,d calls that %s took %s on average instead of %s: %sthe '
			|| 'machine was busy, or it was not when it was measured; waits of '
			|| 'such messages are uncertain', kind, protocol, count,
			which, duration(blocked_ns), duration(predicted_ns), why)
	FROM (
		SELECT kind, protocol, rank_list(rank) AS ranks, sum(count) AS count,
			sum(blocked_ns) / sum(count) AS blocked_ns,
			sum(predicted_ns) / sum(count) AS predicted_ns
		FROM (SELECT * FROM unblocked ORDER BY rank)
		GROUP BY kind, protocol), unblocked_told
	WHERE blocked_ns > max(2 * predicted_ns, predicted_ns + 1000))
ORDER BY name DESC, tier, text
