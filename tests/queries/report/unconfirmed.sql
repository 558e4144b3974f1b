-- SPDX-License-Identifier: BSD-3-Clause
-- case: numbers that nothing confirmed, their age and who measured them; those of other ranks are of the same set
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO link_param (rank, tier, model, name, value, source, reason)
VALUES (0, 'node', 'LogGPS', 'S', 4040, 'unconfirmed', NULL), (0, 'node', 'LogGPS', 'age', 100, 'unconfirmed', 'somebody'),
	(1, 'node', 'LogGPS', 'age', 159, 'unconfirmed', 'somebody'), (0, 'self', 'LogGPS', 'age', 9, 'unconfirmed', 'nobody'),
	(0, 'network', 'LogGPS', 'age', 5, 'cache', 'nobody');
-- ask: SELECT age_s, measured_by, several FROM unconfirmed
-- rows:
-- age_s|measured_by|several
-- 159|somebody|0

-- case: a minute apart they are of several sets
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO link_param (rank, tier, model, name, value, source, reason)
VALUES (0, 'node', 'LogGPS', 'age', 100, 'unconfirmed', 'somebody'), (1, 'node', 'LogGPS', 'age', 160, 'unconfirmed', 'somebody');
-- ask: SELECT age_s, measured_by, several FROM unconfirmed
-- rows:
-- age_s|measured_by|several
-- 160|somebody|1

-- case: where no call was recorded nothing was predicted by them
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'node', 'LogGPS', 'S', 100, 'unconfirmed');
-- ask: SELECT age_s, measured_by, several FROM unconfirmed
-- rows:
-- age_s|measured_by|several
