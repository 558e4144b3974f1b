-- SPDX-License-Identifier: BSD-3-Clause
-- Kinds of links whose parameters are older than the run, and nothing confirmed them: 2 inside hosts, 4 between
-- hosts, 6 both.
SELECT 2 * max(tier = 'node') + 4 * max(tier = 'network') FROM link_param WHERE source = 'unconfirmed'
