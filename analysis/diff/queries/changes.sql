-- SPDX-License-Identifier: BSD-3-Clause
-- The tables of tryst diff, for data and for text. Rows that are beyond the noise come first, then those that changed
-- most.

-- query changed_times: time of the ranks by part
SELECT cause AS what, a_ns, b_ns, change_ns, change_pct FROM change c WHERE c.what = 'time' ORDER BY place

-- query changed_times_text: the same
SELECT call AS what, a_ns, b_ns, change_ns, change_pct FROM change c WHERE c.what = 'time' ORDER BY place

-- query changed_waits: waits by callsite and cause
SELECT place AS "where", call, cause, a_count, b_count, a_ns, b_ns, change_ns, change_pct, noise_ns, b_cause, verdict
FROM change WHERE what = 'wait'
ORDER BY abs(change_ns) > noise_ns DESC, abs(change_ns) DESC, place, call, cause LIMIT :top

-- query changed_waits_text: the same
SELECT place AS "where", call, cause || coalesce(' -> ' || b_cause, '') AS cause, a_ns, b_ns, change_ns, verdict
FROM change WHERE what = 'wait'
ORDER BY abs(change_ns) > noise_ns DESC, abs(change_ns) DESC, place, call, change.cause LIMIT :top

-- query changed_calls: time in MPI by callsite
SELECT place AS "where", call, a_count, b_count, a_ns, b_ns, change_ns, change_pct, noise_ns, verdict
FROM change WHERE what = 'call'
ORDER BY abs(change_ns) > noise_ns DESC, abs(change_ns) DESC, place, call, cause LIMIT :top

-- query changed_calls_text: the same
SELECT place AS "where", call, a_ns, b_ns, change_ns, verdict
FROM change WHERE what = 'call'
ORDER BY abs(change_ns) > noise_ns DESC, abs(change_ns) DESC, place, call, cause LIMIT :top
