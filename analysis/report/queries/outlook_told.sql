-- SPDX-License-Identifier: BSD-3-Clause
-- What is told before any wait: ranks that hang, died or are not known.
SELECT *
FROM outlook
