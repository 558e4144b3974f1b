-- SPDX-License-Identifier: BSD-3-Clause
-- Why is the verdict in doubt? No row if the verdict only tells of a hang, or of an end before MPI_Finalize.
-- reason, link_reason: why no message is predicted.
SELECT doubt.*, reason, link_reason
FROM doubt
LEFT JOIN hedge ON why = 'unpredicted'
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
