-- SPDX-License-Identifier: BSD-3-Clause
-- case: undelayed round trips of this pair alone, by model and length
CREATE TEMP TABLE comparison (model, bytes, error_pct, delay_ns, what, from_rank, to_rank);
INSERT INTO comparison
VALUES ('LogGPS', 64, 2.5, 0, 'round_trip', 0, 1), ('LogGPS', 8, 1.5, 0, 'round_trip', 0, 1),
	('Hockney', 8, 9.5, 0, 'round_trip', 0, 1), ('LogGPS', 8, 7.5, 0, 'round_trip', 1, 0),
	('LogGPS', 8, 3.5, 100, 'round_trip', 0, 1), ('LogGPS', 8, 4.5, 0, 'burst', 0, 1);
-- bind: 0|1
-- rows:
-- model|bytes|error_pct
-- Hockney|8|9.5
-- LogGPS|8|1.5
-- LogGPS|64|2.5
