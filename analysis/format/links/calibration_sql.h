/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_sql.h: include/calibration.sql as text, ended by NUL; made at build time. */
#ifndef TRYST_FORMAT_LINKS_CALIBRATION_SQL_H
#define TRYST_FORMAT_LINKS_CALIBRATION_SQL_H

extern const char calibration_sql[];

#endif
