-- SPDX-License-Identifier: BSD-3-Clause
-- Which ranks lacked a CPU, and for how long?
SELECT rank, host, count, loss_ns, longest_ns
FROM cpu_loss
ORDER BY loss_ns DESC, rank
LIMIT :top
