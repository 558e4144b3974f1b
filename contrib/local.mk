# SPDX-License-Identifier: BSD-3-Clause
# Module files, a file for pkg-config, packages, and job scripts for the common launchers.

# They name where things are installed. `make install prefix=...` may change this after `make`, so each make
# writes them again and replaces those that differ.
EXTRA_DIST += contrib/modules/tryst.lua.in contrib/modules/tryst.tcl.in contrib/modules/tryst-site.lua.in \
	contrib/modules/tryst-site.tcl.in contrib/tryst.pc.in
modulefiles = contrib/modulefiles/$(PACKAGE_VERSION) contrib/modulefiles/$(PACKAGE_VERSION).lua
modulefilesdir = $(datadir)/modulefiles/tryst
nodist_modulefiles_DATA = $(modulefiles)
sitemodules = contrib/modulefiles/site/$(PACKAGE_VERSION) contrib/modulefiles/site/$(PACKAGE_VERSION).lua
sitemodulesdir = $(datadir)/modulefiles/tryst-site
nodist_sitemodules_DATA = $(sitemodules)
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = contrib/tryst.pc
CLEANFILES += $(modulefiles) $(sitemodules) contrib/tryst.pc
substitute_paths = @$(MKDIR_P) $(@D) && sed -e 's|@prefix[@]|$(prefix)|' -e 's|@bindir[@]|$(bindir)|' \
	-e 's|@includedir[@]|$(includedir)|' -e 's|@libdir[@]|$(libdir)|' -e 's|@mandir[@]|$(mandir)|' \
	-e 's|@pkgconfigdir[@]|$(pkgconfigdir)|' -e 's|@version[@]|$(PACKAGE_VERSION)|' \
	$< >$@.tmp && if cmp -s $@.tmp $@; then rm -f $@.tmp; else echo "  GEN      $@"; mv $@.tmp $@; fi
contrib/modulefiles/$(PACKAGE_VERSION): $(srcdir)/contrib/modules/tryst.tcl.in always
	$(substitute_paths)
contrib/modulefiles/$(PACKAGE_VERSION).lua: $(srcdir)/contrib/modules/tryst.lua.in always
	$(substitute_paths)
contrib/modulefiles/site/$(PACKAGE_VERSION): $(srcdir)/contrib/modules/tryst-site.tcl.in always
	$(substitute_paths)
contrib/modulefiles/site/$(PACKAGE_VERSION).lua: $(srcdir)/contrib/modules/tryst-site.lua.in always
	$(substitute_paths)
contrib/tryst.pc: $(srcdir)/contrib/tryst.pc.in always
	$(substitute_paths)
always:
.PHONY: always

contribdir = $(pkgdatadir)
nodist_contrib_DATA =
jobsdir = $(docdir)/jobs
dist_jobs_SCRIPTS = contrib/jobs/apptainer.sh contrib/jobs/mpich.sh contrib/jobs/openmpi.sh \
	contrib/jobs/pbs.sh contrib/jobs/slurm.sh

# The input of the run in README.
examplesdir = $(docdir)/examples
dist_examples_DATA = contrib/examples/film.lammps

# A query over the two sides of MPI_Comm_spawn.
dist_pkgdata_DATA += contrib/worlds.sql

# What was tried and measured.
experiments = README busy-machine-calibration cached-link-sets calibration-visits \
	completion-shares cost-of-a-call cost-of-a-round diff-noise event-cost.c jumps-out-of-calls \
	late-members long-messages nonblocking-collectives one-more-thread op-rows-from-pages \
	prediction-of-runs progress-of-receivers receives-announced repeated-sends report-sampling \
	request-handles \
	sample-cost sample-cost.py short-sends-mpich site-mode-cost small-rank-files spawned-worlds \
	stairs-over-tcp \
	start-at-scale
EXTRA_DIST += $(addprefix contrib/experiments/,$(experiments))

# For checkers over programs with the library loaded.
dist_contrib_DATA = contrib/tsan.supp
nodist_contrib_DATA += contrib/mpi.supp
CLEANFILES += contrib/mpi.supp
mpi_supp_libraries = libmpi libmpi_abi libmpich libopen_mpi libopen-rte libopen-pal libpmix libpmi mca_ libevent libhwloc \
	libfabric libuc libpsm
mpi_supp_kinds = Cond Value1 Value2 Value4 Value8 Value16 Value32 Addr1 Addr2 Addr4 Addr8 Addr16 \
	Addr32 Free Overlap Jump Param Leak
# Param: of what is handed to the system; valgrind takes no pattern there. PMIx sends bytes that nobody set, UCX asks
# the kernel whether it may read another process.
contrib/mpi.supp: contrib/local.mk
	@$(MKDIR_P) contrib
	$(AM_V_GEN){ \
		echo '# For valgrind --suppressions=FILE, beside tryst.supp: what happens in a call into an MPI'; \
		echo '# library, or into what such a library loads, is its own affair.'; \
		for library in $(mpi_supp_libraries); do for kind in $(mpi_supp_kinds); do \
			printf '{\n   %s\n   Memcheck:%s\n' "$$library $$kind" "$$kind"; \
			case $$kind in Param) printf '   writev(vector[...])\n' ;; esac; \
			printf '   ...\n   obj:*/%s*\n   ...\n}\n' "$$library"; \
		done; done; \
		printf '{\n   UCX\n   Memcheck:Param\n   process_vm_readv(lvec[...])\n   ...\n   obj:*/ucx/libuct*\n   ...\n}\n'; \
		} >$@.tmp && mv $@.tmp $@

# ---- packages: make deb, make rpm, make spack ----

# Each works in a folder of its name, from what a release holds. None needs the network.
debian_files = contrib/debian/changelog.in contrib/debian/control contrib/debian/copyright contrib/debian/docs \
	contrib/debian/rules contrib/debian/source/format
EXTRA_DIST += $(debian_files)

# The date of a release is that of NEWS. DEBFLAGS: more words for dpkg-buildpackage.
deb:
	rm -rf deb && $(MKDIR_P) deb
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=deb/$(distdir)
	cp -R deb/$(distdir)/contrib/debian deb/$(distdir)/debian
	date=`date -R -u -d @$${SOURCE_DATE_EPOCH:-\`stat -c %Y $(srcdir)/NEWS\`}` && \
	sed -e 's/@VERSION[@]/$(PACKAGE_VERSION)/' -e "s/@DATE[@]/$$date/" \
		$(srcdir)/contrib/debian/changelog.in >deb/$(distdir)/debian/changelog
	rm deb/$(distdir)/debian/changelog.in
	cd deb/$(distdir) && MAKEFLAGS= dpkg-buildpackage -us -uc -b $(DEBFLAGS)
	@rm -rf deb/$(distdir); ls deb/*.deb

# RPMFLAGS: more words for rpmbuild, such as --nodeps where packages have other names.
EXTRA_DIST += contrib/rpm/tryst.spec.in
rpm:
	rm -rf rpm && $(MKDIR_P) rpm
	$(MAKE) $(AM_MAKEFLAGS) dist
	sed -e 's/@VERSION[@]/$(PACKAGE_VERSION)/' $(srcdir)/contrib/rpm/tryst.spec.in >rpm/tryst.spec
	MAKEFLAGS= rpmbuild -bb $(RPMFLAGS) --define '_topdir $(abs_builddir)/rpm' \
		--define '_sourcedir $(abs_builddir)' rpm/tryst.spec
	@mv rpm/RPMS/*/*.rpm rpm && rm -rf rpm/BUILD* rpm/RPMS rpm/S[OR]*; ls rpm/*.rpm

# A repository for `spack repo add`, whose recipe has the checksum of this release.
EXTRA_DIST += contrib/spack/package.py.in contrib/spack/repo.yaml
spack_repository = spack/spack_repo/tryst
spack:
	rm -rf spack && $(MKDIR_P) $(spack_repository)/packages/tryst
	$(MAKE) $(AM_MAKEFLAGS) dist
	cp $(srcdir)/contrib/spack/repo.yaml $(spack_repository)
	sum=`sha256sum $(distdir).tar.xz | cut -d ' ' -f 1` && \
	sed -e 's/@VERSION[@]/$(PACKAGE_VERSION)/' -e "s/@SHA256[@]/$$sum/" \
		$(srcdir)/contrib/spack/package.py.in >$(spack_repository)/packages/tryst/package.py

# ---- containers ----

containersdir = $(docdir)/containers
dist_containers_DATA = contrib/containers/Dockerfile contrib/containers/README contrib/containers/tryst.def
EXTRA_DIST += contrib/containers/Dockerfile.dockerignore contrib/containers/install.sh

clean-local: clean-packages
clean-packages:
	rm -rf deb rpm spack
.PHONY: deb rpm spack clean-packages

# The paper's experiment.
EXTRA_DIST += contrib/gauss/README contrib/gauss/gauss.c contrib/gauss/run.sh contrib/gauss/tables.awk \
	contrib/gauss/breakdown.gp contrib/gauss/results/tables.txt contrib/gauss/results/results.csv \
	contrib/gauss/results/breakdown.dat contrib/gauss/results/breakdown.svg
