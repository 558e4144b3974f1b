-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first one
-- on: schema
-- bind: a
CREATE TABLE scenario (scenario, changes);
-- rows: values
-- 1
-- case: one that is there keeps its number
-- on: schema
-- bind: a
CREATE TABLE scenario (scenario, changes);
INSERT INTO scenario VALUES (3, 'b'), (2, 'a');
-- rows: values
-- 2
-- case: another one gets the next number
-- on: schema
-- bind: c
CREATE TABLE scenario (scenario, changes);
INSERT INTO scenario VALUES (3, 'b'), (2, 'a');
-- rows: values
-- 4
