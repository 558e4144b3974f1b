-- SPDX-License-Identifier: BSD-3-Clause
-- Did a rank not come to its end, or does it hang?
SELECT EXISTS (SELECT 1 FROM at_end) AND NOT EXISTS (SELECT 1 FROM outlook WHERE state = 'runs')
