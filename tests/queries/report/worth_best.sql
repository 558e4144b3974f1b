-- SPDX-License-Identifier: BSD-3-Clause
-- case: of remedies that bring nine tenths of the best, the one of least effort is told of
-- on: schema
-- then:
CREATE TEMP TABLE remedy_tried (bottleneck, remedy, value, gain_ns, effort, helps);
CREATE TEMP TABLE bottleneck (setting);
CREATE TEMP TABLE advice_limits AS SELECT 0 AS withheld;
INSERT INTO bottleneck (rowid, setting) VALUES (1, 'limit'), (2, NULL);
INSERT INTO remedy_tried VALUES (1, 'post_early', NULL, 460, 1, 1), (1, 'balance', NULL, 500, 3, 1), (1, 'raise_S', 9, 400, 0, 1),
	(2, 'balance', NULL, 5, 3, 0);
-- ask: SELECT * FROM remedy_best
-- rows:
-- bottleneck|remedy|value|gain_ns
-- 1|post_early|-|460
-- case: a larger S without a known setting comes last
-- on: schema
-- then:
CREATE TEMP TABLE remedy_tried (bottleneck, remedy, value, gain_ns, effort, helps);
CREATE TEMP TABLE bottleneck (setting);
CREATE TEMP TABLE advice_limits AS SELECT 0 AS withheld;
INSERT INTO bottleneck (rowid, setting) VALUES (1, 'limit'), (2, NULL), (3, NULL);
INSERT INTO remedy_tried VALUES (1, 'raise_S', 9, 100, 0, 1), (1, 'post_early', NULL, 100, 1, 1),
	(2, 'raise_S', 9, 100, 0, 1), (2, 'post_early', NULL, 95, 1, 1), (3, 'raise_S', 9, 100, 0, 1), (3, 'balance', NULL, 50, 3, 1);
-- ask: SELECT * FROM remedy_best ORDER BY bottleneck
-- rows:
-- bottleneck|remedy|value|gain_ns
-- 1|raise_S|9|100
-- 2|post_early|-|95
-- 3|raise_S|9|100

-- case: no row if advice is withheld
-- on: schema
-- then:
CREATE TEMP TABLE remedy_tried (bottleneck, remedy, value, gain_ns, effort, helps);
CREATE TEMP TABLE bottleneck (setting);
CREATE TEMP TABLE advice_limits AS SELECT 1 AS withheld;
INSERT INTO remedy_tried VALUES (1, 'post_early', NULL, 460, 1, 1);
-- ask: SELECT count(*) FROM remedy_best
-- rows: values
-- 0
