-- SPDX-License-Identifier: BSD-3-Clause
-- Which settings did the run have? is_same: on all ranks; else the value is that of one.
SELECT key AS name, CAST(min(value) AS TEXT) AS value, min(value) IS max(value) AS is_same
FROM run
WHERE key GLOB 'TRYST_*' AND value NOT NULL
GROUP BY key
