-- SPDX-License-Identifier: BSD-3-Clause
-- Does the job still run, and not hang, as far as can be seen?
SELECT EXISTS (SELECT 1 FROM outlook WHERE state = 'runs')
