# SPDX-License-Identifier: BSD-3-Clause
# The calibration's messages: part of each shim ($(measure_sources)), and by themselves the programs
# tryst-measure-<mpi>.
measure_sources = \
	pmpi/measure/cache.c \
	pmpi/measure/cache.h \
	pmpi/measure/check.c \
	pmpi/measure/check.h \
	pmpi/hosts/hosts.c \
	pmpi/hosts/hosts.h \
	pmpi/hosts/link_kinds.c \
	pmpi/hosts/link_kinds.h \
	pmpi/measure/measure.h \
	pmpi/measure/measure_mpi.h \
	pmpi/measure/jumps.h \
	pmpi/measure/visit_order.h \
	pmpi/measure/pair.c \
	pmpi/measure/pair.h \
	pmpi/measure/probe.c \
	pmpi/measure/probe.h \
	pmpi/measure/quick.c \
	pmpi/measure/quick.h \
	pmpi/measure/self.c \
	pmpi/measure/setting.c \
	pmpi/measure/setting.h \
	pmpi/measure/step.c \
	pmpi/measure/step.h \
	pmpi/measure/tags.h \
	pmpi/measure/tiers.c

noinst_LIBRARIES += pmpi/measure/libplan.a
pmpi_measure_libplan_a_SOURCES = pmpi/calibrate/options.c pmpi/calibrate/options.h pmpi/hosts/link_kinds.c \
	pmpi/hosts/link_kinds.h pmpi/calibrate/plan.c pmpi/calibrate/plan.h
pmpi_measure_libplan_a_CPPFLAGS = $(AM_CPPFLAGS)
UNIT_LINK_test_plan = pmpi/measure/libplan.a
UNIT_LINK_test_link_kinds = pmpi/measure/libplan.a

# ---- the programs that `tryst calibrate` becomes ----

measure_program_sources = $(measure_sources) \
	pmpi/calibrate/full.c \
	pmpi/calibrate/file.c \
	pmpi/calibrate/file.h \
	pmpi/calibrate/fits.c \
	pmpi/calibrate/fits.h \
	pmpi/calibrate/group.c \
	pmpi/calibrate/group.h \
	pmpi/calibrate/messages.c \
	pmpi/calibrate/messages.h \
	pmpi/calibrate/pair.c \
	pmpi/calibrate/pair.h \
	pmpi/calibrate/probe.c \
	pmpi/calibrate/probe.h \
	pmpi/calibrate/samples.c \
	pmpi/calibrate/samples.h \
	pmpi/calibrate/step.c \
	pmpi/calibrate/step.h \
	pmpi/record/clock.c \
	pmpi/record/clock.h \
	pmpi/measure/fingerprint.c \
	pmpi/measure/fingerprint.h
measure_program_cppflags = $(AM_CPPFLAGS) -D_GNU_SOURCE -DMEASURE_PROGRAM
measure_program_ldadd = pmpi/measure/libplan.a analysis/format/libformat.a analysis/model/libmodel.a include/libnames.a \
	$(SQLITE_LIBS) -lm -lpthread -ldl

if OPENMPI
pkglibexec_PROGRAMS += pmpi/tryst-measure-openmpi
pmpi_tryst_measure_openmpi_SOURCES = $(measure_program_sources)
pmpi_tryst_measure_openmpi_CPPFLAGS = $(measure_program_cppflags) $(OPENMPI_CFLAGS)
pmpi_tryst_measure_openmpi_CFLAGS = $(AM_CFLAGS) -O2
pmpi_tryst_measure_openmpi_LDADD = $(measure_program_ldadd) $(OPENMPI_LIBS)
endif
if MPICH
pkglibexec_PROGRAMS += pmpi/tryst-measure-mpich
pmpi_tryst_measure_mpich_SOURCES = $(measure_program_sources)
pmpi_tryst_measure_mpich_CPPFLAGS = $(measure_program_cppflags) $(MPICH_CFLAGS)
# MPI_STATUSES_IGNORE is the address 1 there, and the compiler takes it for an array
pmpi_tryst_measure_mpich_CFLAGS = $(AM_CFLAGS) -O2 -Wno-unknown-warning-option -Wno-stringop-overflow
pmpi_tryst_measure_mpich_LDADD = $(measure_program_ldadd) $(MPICH_LIBS)
endif

# tests/mpi/test-delays.sh
MPI_LINK_delays = -lm
EXTRA_DIST += tests/mpi/delays-exact.awk tests/mpi/delays-judge.awk tests/mpi/clocks-judge.awk
