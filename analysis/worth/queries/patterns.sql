-- SPDX-License-Identifier: BSD-3-Clause
-- The patterns that are replayed: load imbalance first, then small messages, as fewer and longer ones.
SELECT pattern, name = 'load_imbalance' AS balances, rank, callsite, peer
FROM pattern
WHERE name IN ('small_messages', 'load_imbalance')
ORDER BY balances DESC, pattern
