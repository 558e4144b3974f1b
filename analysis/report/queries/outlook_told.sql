-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict's first sentences: ranks that hang, died or are unknown.
SELECT *
FROM outlook
