-- SPDX-License-Identifier: BSD-3-Clause
-- S of the network's links or, if there are none, of the node's, in a file of tryst calibrate [B].
SELECT value FROM link_param WHERE model = 'LogGPS' AND name = 'S' AND value > 0
	AND peer IS NULL AND form IS NULL AND layout IS NULL ORDER BY tier DESC LIMIT 1
