-- SPDX-License-Identifier: BSD-3-Clause
-- The patterns that are replayed. Small messages come last (gain.h).
SELECT pattern, name, rank, callsite, peer
FROM pattern
WHERE name IN ('load_imbalance', 'small_messages', 'fan_out', 'fan_in', 'ring', 'master')
ORDER BY name = 'small_messages', name <> 'load_imbalance', pattern
