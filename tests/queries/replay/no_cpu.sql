-- SPDX-License-Identifier: BSD-3-Clause
-- case: the sum of all ranks
-- on: schema
INSERT INTO run VALUES (0, 'cpu_wait_ns', 100), (1, 'cpu_wait_ns', 30), (0, 'end_ns', 600), (1, 'end_ns', 600);
-- rows: values
-- 130
-- case: a tenth of their time is not told
-- on: schema
INSERT INTO run VALUES (0, 'cpu_wait_ns', 100), (1, 'cpu_wait_ns', 20), (0, 'end_ns', 600), (1, 'end_ns', 600);
-- rows: values
-- case: unknown
-- on: schema
INSERT INTO run VALUES (0, 'end_ns', 600);
-- rows: values
