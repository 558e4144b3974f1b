-- SPDX-License-Identifier: BSD-3-Clause
-- Files of ranks with ops of the sample that the merge left out.
SELECT DISTINCT i.file FROM (SELECT op AS id FROM waited UNION SELECT peer_op FROM waited) w
JOIN input i ON i.rank = rank_of(w.id)
WHERE w.id NOT IN (SELECT id FROM sample_op) AND i.file IS NOT NULL
