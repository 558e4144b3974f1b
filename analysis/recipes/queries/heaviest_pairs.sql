-- SPDX-License-Identifier: BSD-3-Clause
-- Which pairs of ranks exchange the most bytes?
SELECT *
FROM comm_matrix
ORDER BY sent_bytes DESC, rank, peer
LIMIT :top
