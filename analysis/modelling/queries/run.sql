-- SPDX-License-Identifier: BSD-3-Clause
-- What is read of a run to learn parameters from.

-- query same_host: pairs of ranks on one host that had messages
SELECT a.rank, b.rank FROM run a JOIN run b ON a.value = b.value
WHERE a.key = 'host' AND b.key = 'host' AND a.rank <> b.rank
	AND EXISTS (SELECT 1 FROM op WHERE rank = a.rank AND peer = b.rank)

-- query borders: S and S_p of rank ?1 for a tier
SELECT name, value, ci_low FROM link_param
WHERE rank = ? AND tier = ? AND model = 'LogGPS' AND form IS NULL AND layout IS NULL AND peer IS NULL
	AND name IN ('S', 'S_p')
