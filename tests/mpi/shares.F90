! SPDX-License-Identifier: BSD-3-Clause
! shares.F90: as shares.c, in subroutines of a module. -D'STEP(x)=...' is another step of the work.
#ifndef STEP
#define STEP(x) x * 1.0000001_real64 + 1e-9_real64
#endif
module fields
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    real(real64), volatile :: sink = 1

contains

    recursive subroutine heavy(n)
        integer(int64), intent(in) :: n
        integer(int64) :: i
        real(real64) :: x
        x = sink
        do i = 1, 3 * n
            x = STEP(x)
        end do
        sink = x
        if (n < 0) call heavy(n + 1) ! so that it is not inlined
    end subroutine

    recursive subroutine light(n)
        integer(int64), intent(in) :: n
        integer(int64) :: i
        real(real64) :: x
        x = sink
        do i = 1, n
            x = STEP(x)
        end do
        sink = x
        if (n < 0) call light(n + 1)
    end subroutine
end module

program shares
    use fields
    use mpi
    implicit none
    real(real64) :: begin, middle, end_, heavy_s, light_s
    integer(int64) :: n
    integer :: i, ierror
    call MPI_Init(ierror)
    heavy_s = 0
    light_s = 0
    i = 0
    do while (heavy_s + light_s < 0.4_real64)
        n = (20 + mod(i * 7, 13)) * 12500_int64
        i = i + 1
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call cpu_time(begin)
        call heavy(n)
        call cpu_time(middle)
        call light(n)
        call cpu_time(end_)
        heavy_s = heavy_s + middle - begin
        light_s = light_s + end_ - middle
    end do
    print '(a, f0.6, a, f0.6)', 'main ', heavy_s, ' ', light_s
    call MPI_Finalize(ierror)
end program
