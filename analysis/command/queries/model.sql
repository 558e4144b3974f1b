-- SPDX-License-Identifier: BSD-3-Clause
-- Short questions of tryst model.

-- query models: the models
SELECT * FROM model ORDER BY rowid

-- query models_text: the same
SELECT model, predicts, about FROM model ORDER BY rowid

-- query published_parameters: published parameters
SELECT * FROM published ORDER BY rowid

-- query parameters: parameters, a row for each value
SELECT * FROM parameter ORDER BY rowid

-- query findings: findings of a calibration, a row for each model
SELECT from_rank || '-' || to_rank AS pair, model, kind, name, samples, bytes_low, bytes_high, text FROM finding

-- query async_progress: does a long message move while this side is outside MPI?
SELECT tier, form,
	CASE value WHEN 1 THEN 'it moves' WHEN 0 THEN 'it waits' ELSE 'not known: ' || reason END AS transfer
FROM link_param WHERE name = 'async_progress' AND tier <> 'self' AND layout IS NULL

-- query learned: findings of a run's messages
SELECT kind, name, samples, bytes_low, nullif(bytes_high, -1) AS bytes_high, text FROM learned

-- query other_pairs: takes out all but the pair ?1, ?2 that was asked for; -1: any
DELETE FROM comparison WHERE (?1 >= 0 AND from_rank <> ?1) OR (?2 >= 0 AND to_rank <> ?2)
