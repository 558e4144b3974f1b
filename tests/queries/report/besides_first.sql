-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first one alone
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
INSERT INTO besides VALUES (3, 'other_calls', 9, 'MPI_Win_fence', 'f', NULL, NULL), (2, 'polling', 7, 'MPI_Test', 'g', NULL, NULL);
-- rows: values
-- 2|polling|7|MPI_Test|g|-|-
