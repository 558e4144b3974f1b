#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs tryst into an image of Debian or Ubuntu, as root:
#
#   install.sh SOURCE [openmpi|mpich]
#
# SOURCE is a clone or a release; it is removed. tryst goes to /opt/tryst; the compiler and the MPI library
# [openmpi] stay, for programs that are built in the image.
set -e
source=$(cd "${1:?usage: install.sh SOURCE [openmpi|mpich]}" && pwd)
mpi=${2:-openmpi}
case $mpi in
openmpi) mpi_packages='openmpi-bin libopenmpi-dev' ;;
mpich) mpi_packages='mpich libmpich-dev' ;;
*)
	echo "install.sh: '$mpi' is neither openmpi nor mpich" >&2
	exit 2
	;;
esac

export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086 # a word a package
apt-get install -y --no-install-recommends gcc make pkg-config libc6-dev libunwind-dev libsqlite3-dev libdw-dev \
	libopen-trace-format2-dev libncurses-dev zlib1g-dev node-d3 $mpi_packages
# A release has ./configure.
[ -x "$source/configure" ] || {
	apt-get install -y --no-install-recommends autoconf automake
	(cd "$source" && autoreconf -fi)
}
cd "$source"
[ ! -f Makefile ] || make distclean	# it was built in place
mkdir build-image
cd build-image
../configure --prefix=/opt/tryst --with-mpi="$mpi"
make -j "$(getconf _NPROCESSORS_ONLN)"
make install
cd /
rm -rf "$source" /var/lib/apt/lists/*
