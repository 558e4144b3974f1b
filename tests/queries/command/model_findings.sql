-- SPDX-License-Identifier: BSD-3-Clause
-- case: models with the same finding share a row, and more than three are a number
CREATE TEMP TABLE finding (from_rank, to_rank, model, kind, name, samples, bytes_low, bytes_high, text);
INSERT INTO finding
VALUES (0, 1, 'LogP', 2, 'jump', 9, 64, 128, 'times jump'), (0, 1, 'LogGP-1', 2, 'jump', 9, 64, 128, 'times jump'),
	(0, 1, 'LogP', 1, 'noise', 3, 8, 8, 'noisy'), (0, 1, 'LogGPS', 1, 'noise', 3, 8, 8, 'noisy'),
	(0, 1, 'MM', 1, 'noise', 3, 8, 8, 'noisy'), (0, 1, 'PLogP', 1, 'noise', 3, 8, 8, 'noisy'),
	(0, 1, 'MM', 1, 'noise', 4, 8, 8, 'noisy');
-- rows:
-- pair|text|samples|bytes_low|bytes_high|models|name
-- 0-1|times jump|9|64|128|LogP, LogGP-1|jump
-- 0-1|noisy|3|8|8|4 models|noise
-- 0-1|noisy|4|8|8|MM|noise
