-- SPDX-License-Identifier: BSD-3-Clause
-- Does a job that still runs seem to hang?
SELECT EXISTS (SELECT 1 FROM outlook WHERE state = 'hangs')
