-- SPDX-License-Identifier: BSD-3-Clause
-- case: the reason
-- then:
INSERT INTO worth_run VALUES (NULL, NULL, 'long');
-- rows: values
-- long

-- case: none
-- then:
INSERT INTO worth_run VALUES (1000, 10, NULL);
-- rows: values
