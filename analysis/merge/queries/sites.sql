-- SPDX-License-Identifier: BSD-3-Clause
-- Callsites that ranks share.

-- query stacks: frames of all callsites, those of one together; %w: the schema
SELECT f.rank, f.callsite, f.offset, m.build_id, m.path
FROM "%w".frame_row f LEFT JOIN "%w".module_row m ON m.rank = f.rank AND m.module = f.module
ORDER BY f.rank, f.callsite, f.frame

-- query copy_frames: the frames of callsite ?2 of rank ?1, from an attached file
INSERT INTO main.frame_row SELECT * FROM src.frame_row WHERE rank = ? AND callsite = ?
