! SPDX-License-Identifier: BSD-3-Clause
! A ring in Fortran, for include 'mpif.h' (-DMPIF), use mpi (-DUSE_MPI) and use mpi_f08 (neither).
! ROUNDS times: Irecv from the left, Send to the right, Wait; then Isend, Probe, Recv and a loop of
! Test; an Allreduce each round. -DROUNDS=n: so many instead of 10; each rank notes those that are over in log-RANK.
program ring
#if defined(MPIF)
	implicit none
	include 'mpif.h'
#elif defined(USE_MPI)
	use mpi
	implicit none
#else
	use mpi_f08
	implicit none
#endif
#ifdef ROUNDS
	integer, parameter :: rounds = ROUNDS, n = 25
	character(len=12) :: name
#else
	integer, parameter :: rounds = 10, n = 25
#endif
	integer :: me, ranks, left, right, i, ierr, total
	integer :: in(n), out(n)
	logical :: flag
#if defined(MPIF) || defined(USE_MPI)
	integer :: request, status(MPI_STATUS_SIZE)
#else
	type(MPI_Request) :: request
	type(MPI_Status) :: status
#endif

	call MPI_Init(ierr)
	call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
	right = mod(me + 1, ranks)
	left = mod(me + ranks - 1, ranks)
#ifdef ROUNDS
	write (name, '(a, i0)') 'log-', me
	open (20, file=name)
#endif
	do i = 1, rounds
		out = me * 100 + i
		call MPI_Irecv(in, n, MPI_INTEGER, left, i, MPI_COMM_WORLD, request, ierr)
		call MPI_Send(out, n, MPI_INTEGER, right, i, MPI_COMM_WORLD, ierr)
		call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
		if (in(n) /= left * 100 + i) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
		call MPI_Isend(out, n, MPI_INTEGER, right, 100 + i, MPI_COMM_WORLD, request, ierr)
		call MPI_Probe(left, 100 + i, MPI_COMM_WORLD, status, ierr)
		call MPI_Recv(in, n, MPI_INTEGER, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, status, ierr)
		flag = .false.
		do while (.not. flag)
			call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierr)
		end do
		call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
		if (total /= ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
#ifdef ROUNDS
		write (20, '(i0)') i
		flush (20)
#endif
	end do
	if (me == 0) print '(a)', 'ring done'
	call MPI_Finalize(ierr)
end program ring
