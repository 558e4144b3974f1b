-- SPDX-License-Identifier: BSD-3-Clause
-- What would the run have taken, changed as `tryst predict` was asked?
SELECT changes, run_before_ns, run_same_ns, run_after_ns, run_low_ns, run_high_ns
FROM scenario
ORDER BY scenario
