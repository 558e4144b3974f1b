-- SPDX-License-Identifier: BSD-3-Clause
-- Did a rank not come to its end?
SELECT EXISTS (SELECT 1 FROM at_end)
