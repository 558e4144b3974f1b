-- SPDX-License-Identifier: BSD-3-Clause
-- case: of remedies that bring nine tenths of the best, the one of least effort is told of
-- on: schema
-- then:
CREATE TEMP TABLE remedy_tried (bottleneck, remedy, value, gain_ns, effort, helps);
INSERT INTO remedy_tried VALUES (1, 'post_early', NULL, 460, 1, 1), (1, 'balance', NULL, 500, 3, 1), (1, 'raise_S', 9, 400, 0, 1),
	(2, 'balance', NULL, 5, 3, 0);
-- ask: SELECT * FROM remedy_best
-- rows:
-- bottleneck|remedy|value|gain_ns
-- 1|post_early|-|460
