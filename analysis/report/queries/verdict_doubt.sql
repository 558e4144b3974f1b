-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the verdict in doubt? No row if the verdict only tells of a hang, or of an end before MPI_Finalize.
-- reason, link_reason: why no message is predicted.
SELECT why, ns, pct, first AND NOT coalesce((SELECT said AND ends FROM outlook), 0) AS first, reason, link_reason
FROM doubt
LEFT JOIN hedge ON why = 'unpredicted'
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
