-- SPDX-License-Identifier: BSD-3-Clause
-- Which sends have no receive, which receives no send?
SELECT *
FROM unmatched
LIMIT :top
