# SPDX-License-Identifier: BSD-3-Clause
# Environment module, and job scripts for the common launchers.
EXTRA_DIST += contrib/tryst.module.in
contribdir = $(pkgdatadir)
nodist_contrib_DATA = contrib/tryst.module
CLEANFILES += contrib/tryst.module
contrib/tryst.module: contrib/tryst.module.in Makefile
	@$(MKDIR_P) contrib
	$(AM_V_GEN)sed -e 's|@bindir[@]|$(bindir)|' -e 's|@mandir[@]|$(mandir)|' \
		$(srcdir)/contrib/tryst.module.in >$@.tmp && mv $@.tmp $@
jobsdir = $(docdir)/jobs
dist_jobs_SCRIPTS = contrib/jobs/apptainer.sh contrib/jobs/mpich.sh contrib/jobs/openmpi.sh \
	contrib/jobs/pbs.sh contrib/jobs/slurm.sh

# A query over the two sides of MPI_Comm_spawn.
dist_pkgdata_DATA += contrib/worlds.sql

# For checkers over programs with the library loaded.
dist_contrib_DATA = contrib/tsan.supp
nodist_contrib_DATA += contrib/mpi.supp
CLEANFILES += contrib/mpi.supp
mpi_supp_libraries = libmpi libmpich libopen-rte libopen-pal libpmix libpmi mca_ libevent libhwloc \
	libfabric libuc libpsm
mpi_supp_kinds = Cond Value1 Value2 Value4 Value8 Value16 Value32 Addr1 Addr2 Addr4 Addr8 Addr16 \
	Addr32 Free Overlap Jump Param Leak
# Param: of what is handed to the system; valgrind takes no pattern there. PMIx sends bytes that nobody set.
contrib/mpi.supp: contrib/local.mk
	@$(MKDIR_P) contrib
	$(AM_V_GEN){ \
		echo '# For valgrind --suppressions=FILE, beside tryst.supp: what happens in a call into an MPI'; \
		echo '# library, or into what such a library loads, is its own affair.'; \
		for library in $(mpi_supp_libraries); do for kind in $(mpi_supp_kinds); do \
			printf '{\n   %s\n   Memcheck:%s\n' "$$library $$kind" "$$kind"; \
			case $$kind in Param) printf '   writev(vector[...])\n' ;; esac; \
			printf '   ...\n   obj:*/%s*\n   ...\n}\n' "$$library"; \
		done; done; } >$@.tmp && mv $@.tmp $@
