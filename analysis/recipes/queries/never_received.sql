-- SPDX-License-Identifier: BSD-3-Clause
-- Which sends were never received, and which receives have no send?
SELECT *
FROM unmatched
LIMIT :top
