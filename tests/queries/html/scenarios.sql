-- SPDX-License-Identifier: BSD-3-Clause
-- case: in the order in which they were asked
CREATE TABLE scenario (scenario, changes, run_before_ns, run_same_ns, run_after_ns, run_low_ns, run_high_ns);
INSERT INTO scenario VALUES (2, '--progress', 100, 99, 90, 85, 95), (1, '--set S=64k', 100, 99, 80, NULL, NULL);
-- rows:
-- changes|run_before_ns|run_same_ns|run_after_ns|run_low_ns|run_high_ns
-- --set S=64k|100|99|80|-|-
-- --progress|100|99|90|85|95
