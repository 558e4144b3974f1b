-- SPDX-License-Identifier: BSD-3-Clause
-- Frames of callsites and their names.

-- query unnamed: frames without a function, those of one module together and by offset
SELECT m.path, m.build_id, f.offset, f.rank, f.callsite, f.frame
FROM frame_row f JOIN module_row m ON m.rank = f.rank AND m.module = f.module
WHERE f.function IS NULL ORDER BY 1, 2, 3

-- query named: names a frame that has no function
UPDATE frame_row SET function = ?, file = ?, line = ? WHERE rank = ? AND callsite = ? AND frame = ? AND function IS NULL

-- query names: the frames of rank ?1 that have a function
SELECT rank, callsite, frame, function, file, line FROM callsite WHERE rank = ? AND function IS NOT NULL
