-- SPDX-License-Identifier: BSD-3-Clause
-- For which numbers of ranks has text a column? The smallest, and the ?1 largest.
SELECT ranks
FROM size
WHERE nth = 1 OR nth > (SELECT max(nth) FROM size) - CAST(?1 AS INTEGER)
ORDER BY nth
