-- SPDX-License-Identifier: BSD-3-Clause
-- How long ranks were ready to run but had no CPU [ns], if it is more than a tenth of their time.
SELECT lost FROM (
	SELECT sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'cpu_wait_ns') AS lost,
		sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS whole
	FROM run)
WHERE lost * 10 > whole
