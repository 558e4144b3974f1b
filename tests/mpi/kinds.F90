! SPDX-License-Identifier: BSD-3-Clause
! kinds.F90: windows, files and MPI_PCONTROL through mpif.h, use mpi or use mpi_f08 (-DMPIF, -DUSE_MPI,
! -DMPI_F08). Two ranks.
program kinds
#ifdef MPI_F08
  use mpi_f08
  implicit none
  type(MPI_Win) :: win
  type(MPI_File) :: file
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
#ifdef USE_MPI
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: win, file, request, status(MPI_STATUS_SIZE)
#endif
  integer :: ierr, rank
  integer :: memory(10), out(10), in(10)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  integer(kind=MPI_OFFSET_KIND) :: offset

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  out = rank
  bytes = 40
  place = 2
  call MPI_PCONTROL(5)
  call MPI_WIN_CREATE(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_PUT(out, 3, MPI_INTEGER, 1 - rank, place, 3, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_PCONTROL(-5)
  call MPI_WIN_FREE(win, ierr)
  call MPI_FILE_OPEN(MPI_COMM_WORLD, 'kinds.out', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
  offset = 40 * rank
  call MPI_FILE_WRITE_AT(file, offset, out, 10, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_FILE_READ_AT_ALL(file, offset, in, 10, MPI_INTEGER, status, ierr)
  call MPI_FILE_IREAD_AT(file, offset, in, 5, MPI_INTEGER, request, ierr)
  call MPI_WAIT(request, status, ierr)
  call MPI_FILE_CLOSE(file, ierr)
  call MPI_PCONTROL(0)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call MPI_PCONTROL(1)
  if (rank == 0 .and. in(5) == 0) print '(a)', 'kinds done'
  call MPI_FINALIZE(ierr)
end program
