#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: timeout=400
# Calls by function equal those of an independent counting library in the same process, which is
# stacked before or behind ours: C, all forms of Fortran, python, packaged programs.
. "${TEST_SRC:-.}/tests/lib.sh"
. "$TEST_SRC/tests/mpi/counts.sh"

for mpi in $MPIS; do
	program=$(mpi_program "$mpi" calls)
	counts_equal "$mpi: a C program" "$mpi" before 2 "$program" "$PWD/file"
	counts_equal "$mpi: a C program" "$mpi" behind 2 "$program" "$PWD/file"
	counts_equal "$mpi: a C program" "$mpi" before 4 "$program" "$PWD/file"
done

# ---- Fortran: the same program by mpif.h, use mpi, use mpi_f08 ----

cat >body.f90 <<'END'
 integer rank, x, e, i
 logical flag
 call mpi_init(e)
 call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
 do i = 1, 5
  if (rank == 0) call mpi_send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, e)
  if (rank == 1) then
   call mpi_irecv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, r, e)
   call mpi_wait(r, s, e)
  end if
 end do
 call mpi_iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, s, e)
 call mpi_irecv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, r, e)
 call mpi_test(r, flag, s, e)
 call mpi_bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
 call mpi_type_contiguous(2, MPI_INTEGER, t, e)
 call mpi_type_commit(t, e)
 call mpi_type_free(t, e)
 call mpi_comm_dup(MPI_COMM_WORLD, c, e)
 call mpi_barrier(c, e)
 call mpi_comm_free(c, e)
 call mpi_finalize(e)
end
END
old=' integer r, s(MPI_STATUS_SIZE), c, t'
new=' type(MPI_Request) r
 type(MPI_Status) s
 type(MPI_Comm) c
 type(MPI_Datatype) t'
printf "program p\n include 'mpif.h'\n%s\n" "$old" | cat - body.f90 >mpif.f90
printf "program p\n use mpi\n%s\n" "$old" | cat - body.f90 >mpi.f90
printf "program p\n use mpi_f08\n%s\n" "$new" | cat - body.f90 >f08.f90
for mpi in $MPIS; do
	need "mpif90.$mpi" gfortran
	need gfortran gfortran
	for form in mpif mpi f08; do
		"mpif90.$mpi" $form.f90 -o "$mpi/$form" || exit 1
		counts_equal "$mpi: Fortran by $form" "$mpi" before 2 "$mpi/$form"
		expect_sql rows "SELECT sum(count) FROM call_profile WHERE call LIKE 'MPI_%send'
			OR call LIKE 'MPI_%recv'" "6
6"
	done
done

# ---- python, packaged programs; Debian's are for Open MPI ----

mpis_with openmpi
cat >python.py <<'END'
from mpi4py import MPI
comm = MPI.COMM_WORLD
if comm.rank == 0:
    comm.send({'a': 1}, 1, 5)
else:
    comm.recv(source=0, tag=5)
comm.Barrier()
END
/usr/bin/python3 -c 'import mpi4py' 2>/dev/null || missing mpi4py python3-mpi4py
counts_equal "python" openmpi before 2 /usr/bin/python3 python.py

need lmp lammps
counts_equal "lammps" openmpi before 2 lmp -in "$TEST_SRC/tests/mpi/melt.lammps" -log none
counts_equal "lammps" openmpi behind 2 lmp -in "$TEST_SRC/tests/mpi/melt.lammps" -log none
finish
