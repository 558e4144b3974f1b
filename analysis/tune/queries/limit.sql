-- SPDX-License-Identifier: BSD-3-Clause
-- S of the node's links or, if they have none, of the network's, in a file of tryst calibrate [B].
SELECT value FROM link_param WHERE model = 'LogGPS' AND name = 'S' AND value > 0 AND tier <> 'self'
	AND peer IS NULL AND form IS NULL AND layout IS NULL ORDER BY tier DESC LIMIT 1
