-- SPDX-License-Identifier: BSD-3-Clause
-- How many link parameters of the run are older than it, and nothing confirmed them.
SELECT count(*) FROM link_param WHERE tier <> 'self' AND source = 'unconfirmed'
