-- SPDX-License-Identifier: BSD-3-Clause
-- The tables of include/calibration.sql, read back.

-- query pairs: pairs of ranks that were measured
SELECT from_rank, to_rank, tier, from_host, to_host FROM calibration_pair ORDER BY 1, 2

-- query samples: what was measured
SELECT from_rank, to_rank, kind, form, layout, flow, count, bytes, delay_ns, repetition, truth, value_ns
FROM sample

-- query fits: parameters of models
SELECT from_rank, to_rank, form, layout, model, name, bytes, value, unit, ci_low, ci_high, reason FROM fit
ORDER BY 1, 2, 3, 4, 5
