-- SPDX-License-Identifier: BSD-3-Clause
-- Did all ranks come to their end?
SELECT NOT EXISTS (SELECT 1 FROM at_end)
