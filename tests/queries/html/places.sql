-- SPDX-License-Identifier: BSD-3-Clause
-- case: of several names the first one
CREATE TEMP TABLE export_site (rank, callsite, place);
INSERT INTO export_site VALUES (0, 1, 0), (1, 1, 0), (0, 2, 1);
CREATE TEMP TABLE site (rank, callsite, place);
INSERT INTO site VALUES (0, 1, 'b.c:2'), (1, 1, 'a.c:1'), (0, 2, 'c.c:3');
-- rows: values
-- 0|a.c:1
-- 1|c.c:3
