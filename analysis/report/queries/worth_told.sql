-- SPDX-License-Identifier: BSD-3-Clause
-- worth_told: the worth of a bottleneck in the report. withheld: CPU loss may have distorted advice, so
-- remedies do not count.
CREATE TEMP VIEW worth_told AS
SELECT bottleneck, iif(withheld, min(worth_ns, without_ns), worth_ns) AS worth_ns, without_ns
FROM worth
JOIN (SELECT EXISTS (SELECT 1 FROM doubt WHERE why = 'no_cpu') AS withheld);
