-- SPDX-License-Identifier: BSD-3-Clause
-- The messages that are replayed as fewer and longer ones.
SELECT pattern, rank, callsite, peer
FROM pattern
WHERE name = 'small_messages'
