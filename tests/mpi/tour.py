# SPDX-License-Identifier: BSD-3-Clause
"""Nearly all that mpi4py offers, on 2 or more ranks: each part checks what it got.

Prints a line a part by rank 0. The directory for files is the first argument.
"""
import functools
import operator
import sys
import threading
from array import array

from mpi4py import rc

rc.thread_level = "multiple"
from mpi4py import MPI, futures  # noqa: E402

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
right, left = (rank + 1) % size, (rank - 1) % size
where = sys.argv[1]
INT = MPI.INT
parts = []


def part(function):
    parts.append(function)
    return function


def ints(*values):
    return array("i", values)


def zeros(n):
    return array("i", bytes(4 * n))


@part
def environment():
    assert MPI.Is_initialized() and not MPI.Is_finalized() and MPI.Is_thread_main()
    assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
    assert MPI.Get_version() >= (3, 0) and MPI.Get_library_version() and MPI.Get_processor_name()
    assert MPI.Wtime() <= MPI.Wtime() and MPI.Wtick() > 0
    MPI.Pcontrol(2)
    memory = MPI.Alloc_mem(100)
    MPI.Free_mem(memory)
    assert MPI.Get_address(bytearray(8)) != 0
    assert world.Get_attr(MPI.TAG_UB) >= 32767
    for number in range(MPI.SUCCESS, MPI.ERR_LASTCODE, 7):
        MPI.Get_error_class(min(number, 50))
        MPI.Get_error_string(min(number, 50))
    code = MPI.Add_error_code(MPI.Add_error_class())
    MPI.Add_error_string(code, "made here")
    assert MPI.Get_error_string(code) == "made here"


@part
def groups():
    group = world.Get_group()
    assert (group.rank, group.size) == (rank, size)
    first, rest = group.Incl([0]), group.Excl([0])
    assert MPI.Group.Compare(MPI.Group.Union(first, rest), group) == MPI.IDENT
    assert MPI.Group.Intersection(first, rest).size == 0
    assert MPI.Group.Difference(group, rest).size == 1
    assert group.Range_incl([(0, size - 1, 1)]).size == size
    assert group.Range_excl([(0, size - 1, 1)]).size == 0
    assert MPI.Group.Translate_ranks(group, [0], first) == [0]
    some = world.Create_group(first, 3) if rank == 0 else MPI.COMM_NULL
    for comm in (world.Create(group), world.Create(first), some):
        if comm != MPI.COMM_NULL:
            comm.Barrier()
            comm.Free()
    for each in (first, rest, group):
        each.Free()


@part
def communicators():
    info = MPI.Info.Create()
    dup = world.Dup()
    other, request = world.Idup()
    request.Wait()
    with_info = world.Dup_with_info(info)
    info.Free()
    assert MPI.Comm.Compare(world, dup) == MPI.CONGRUENT
    dup.Set_name("a copy")
    assert dup.Get_name() == "a copy"
    reverse = world.Split(0, -rank)
    assert reverse.rank == size - 1 - rank
    node = world.Split_type(MPI.COMM_TYPE_SHARED)
    none = world.Split(MPI.UNDEFINED)
    assert none == MPI.COMM_NULL
    half = world.Split(rank % 2)
    inter = half.Create_intercomm(0, world, 1 - rank % 2, 4)
    assert inter.is_inter and inter.remote_size == size // 2 + (size % 2 if rank % 2 else 0)
    assert inter.bcast(rank % 2 and "odd", (MPI.ROOT if half.rank == 0 else MPI.PROC_NULL) if rank % 2 else 0) \
        == (None if rank % 2 else "odd")
    merged = inter.Merge(bool(rank % 2))
    assert merged.allreduce(1) == size
    for comm in (dup, other, with_info, reverse, node, inter, half, merged):
        comm.Free()


@part
def topologies():
    dims = MPI.Compute_dims(size, 2)
    cart = world.Create_cart(dims, [True, True], True)
    assert cart.Get_coords(cart.Get_cart_rank(cart.coords)) == cart.coords and cart.Get_topo()[0] == dims
    cart.Shift(0, 1)
    line = cart.Sub([True, False])
    index = [2 * (i + 1) for i in range(size)]
    edges = [edge for i in range(size) for edge in ((i - 1) % size, (i + 1) % size)]
    graph = world.Create_graph(index, edges)
    assert graph.nneighbors == 2 and len(graph.Get_neighbors(rank)) == 2
    general = world.Create_dist_graph([rank], [1], [right], MPI.UNWEIGHTED)
    ring = world.Create_dist_graph_adjacent([left], [right])
    for comm in (general, ring):
        assert comm.Get_dist_neighbors_count()[:2] == (1, 1)
        assert comm.neighbor_allgather(rank) == [left] and comm.neighbor_alltoall([rank]) == [left]
        got = zeros(1)
        comm.Neighbor_allgather(ints(rank), got)
        comm.Neighbor_allgatherv(ints(rank), [got, ([1], [0]), INT])
        comm.Neighbor_alltoall(ints(rank), got)
        comm.Neighbor_alltoallv([ints(rank), ([1], [0]), INT], [got, ([1], [0]), INT])
        comm.Neighbor_alltoallw([ints(rank), ([1], [0]), [INT]], [got, ([1], [0]), [INT]])
        assert got[0] == left
        MPI.Request.Waitall([
            comm.Ineighbor_allgather(ints(rank), zeros(1)),
            comm.Ineighbor_allgatherv(ints(rank), [zeros(1), ([1], [0]), INT]),
            comm.Ineighbor_alltoall(ints(rank), zeros(1)),
            comm.Ineighbor_alltoallv([ints(rank), ([1], [0]), INT], [zeros(1), ([1], [0]), INT]),
            comm.Ineighbor_alltoallw([ints(rank), ([1], [0]), [INT]], [zeros(1), ([1], [0]), [INT]])])
    for comm in (line, cart, graph, general, ring):
        comm.Free()


@part
def objects():
    buffer = MPI.Alloc_mem(1 << 16)
    MPI.Attach_buffer(buffer)
    thing = {"rank": rank, "text": "x" * 5000}
    for send in (world.isend, world.ibsend, world.issend):
        request = send(thing, right, 5)
        assert world.recv(source=left, tag=5)["rank"] == left
        request.wait()
    for i, send in enumerate((world.send, world.bsend, world.ssend)):
        for turn in (0, 1):
            if rank % 2 == turn and right != rank and size % 2 == 0:
                send(thing, right, i)
            elif size % 2 == 0:
                status = MPI.Status()
                assert world.recv(source=MPI.ANY_SOURCE, tag=i, status=status)["rank"] == left
                assert status.source == left and status.tag == i and status.Get_count(MPI.BYTE) > 5000
    assert world.sendrecv(rank, right, 1, source=left, recvtag=1) == left
    request = world.irecv(source=left, tag=9)
    world.send(rank, right, 9)
    assert request.wait() == left
    requests = [world.isend(i, right, i) for i in range(4)]
    assert [world.recv(source=left, tag=i) for i in range(3, -1, -1)] == [3, 2, 1, 0]
    MPI.Request.waitall(requests)
    requests = [world.irecv(source=left, tag=i) for i in range(3)]
    for i in range(3):
        world.send(i, right, i)
    assert sorted(MPI.Request.waitany(requests)[1] for i in range(3)) == [0, 1, 2]
    request = world.isend("probed", right, 3)
    world.probe(left, 3)
    assert world.mprobe(left, 3).recv() == "probed"
    request.wait()
    request = world.isend("probed", right, 3)
    message = None
    while message is None:
        assert not world.iprobe(left, 4)
        message = world.improbe(left, 3)
    assert message.irecv().wait() == "probed"
    request.wait()
    MPI.Detach_buffer()
    MPI.Free_mem(buffer)


@part
def object_collectives():
    assert world.bcast(rank, 0) == 0
    assert world.gather(rank, 0) == (list(range(size)) if rank == 0 else None)
    assert world.scatter([10 * i for i in range(size)] if rank == 0 else None, 0) == 10 * rank
    assert world.allgather(rank) == list(range(size))
    assert world.alltoall([rank] * size) == list(range(size))
    assert world.reduce([rank], MPI.SUM, 0) == (list(range(size)) if rank == 0 else None)
    assert world.allreduce(rank, MPI.MAX) == size - 1
    assert world.scan(1) == rank + 1
    assert world.exscan(1) == (rank if rank else None)
    world.barrier()


@part
def messages():
    buffer = MPI.Alloc_mem(1 << 16)
    MPI.Attach_buffer(buffer)
    got = zeros(1000)
    have = array("i", [rank] * 1000)
    for send in (world.Isend, world.Ibsend, world.Issend, world.Irsend):
        receive = world.Irecv([got, 1000, INT], left, 1)
        world.Barrier()
        request = send([have, INT], right, 1)
        MPI.Request.Waitall([receive, request])
        assert got[999] == left
    for send in (world.Send, world.Bsend, world.Ssend, world.Rsend):
        receive = world.Irecv(got, left, 2)
        world.Barrier()
        send(have, right, 2)
        status = MPI.Status()
        receive.Wait(status)
        assert status.Get_count(INT) == status.Get_elements(INT) == 1000 and status.Get_error() == 0
    world.Sendrecv(have, right, 0, got, left, 0)
    world.Sendrecv_replace(have, right, 0, left, 0)
    assert have == got
    makers = (world.Send_init, world.Bsend_init, world.Ssend_init, world.Rsend_init)
    for make in makers:
        sender, receiver = make(have, right, 7), world.Recv_init(got, left, 7)
        for i in range(3):
            receiver.Start()
            world.Barrier()
            sender.Start()
            MPI.Prequest.Waitall([sender, receiver])
        world.Barrier()
        both = [world.Recv_init(got, MPI.PROC_NULL), world.Send_init(have, MPI.PROC_NULL)]
        MPI.Prequest.Startall(both)
        MPI.Prequest.Waitall(both)
        for request in [sender, receiver] + both:
            request.Free()
    MPI.Detach_buffer()
    MPI.Free_mem(buffer)


@part
def probes():
    request = world.Isend(ints(rank), right, 3)
    status = MPI.Status()
    world.Probe(left, MPI.ANY_TAG, status)
    assert status.tag == 3
    while not world.Iprobe(MPI.ANY_SOURCE, 3):
        pass
    message = world.Mprobe(left, 3)
    got = zeros(1)
    message.Recv(got)
    assert got[0] == left
    request.Wait()
    request = world.Isend(ints(-rank), right, 3)
    message = None
    while message is None:
        message = world.Improbe(left, 3)
    message.Irecv(got).Wait()
    assert got[0] == -left
    request.Wait()
    assert world.Mprobe(MPI.PROC_NULL).Recv(got) is None


@part
def requests():
    got = [zeros(1) for i in range(6)]
    posted = [world.Irecv(got[i], left, i) for i in range(6)]
    assert not posted[0].Get_status() and not posted[0].Test()
    assert MPI.Request.Testany(posted)[1] is False and not MPI.Request.Testall(posted)
    assert MPI.Request.Testsome(posted) == []
    world.Barrier()
    for i in range(6):
        world.Send(ints(i), right, i)
    while not posted[0].Test():
        pass
    done = 1 + len(MPI.Request.Waitsome(posted))
    while MPI.Request.Waitany(posted) != MPI.UNDEFINED:
        done += 1
    assert done == 6 and [each[0] for each in got] == list(range(6)) and MPI.Request.Testall(posted)
    never = world.Irecv(zeros(1), left, 99)
    never.Cancel()
    status = MPI.Status()
    never.Wait(status)
    assert status.Is_cancelled()
    freed = world.Isend(ints(1), right, 6)
    freed.Free()
    world.Recv(got[0], left, 6)
    said = []

    def query(status, *arguments):
        said.append("query")
        status.Set_elements(MPI.BYTE, 3)

    greq = MPI.Grequest.Start(query, lambda *a: said.append("free"), lambda *a: said.append("cancel"), (1,))
    assert not greq.Test()
    greq.Cancel()
    greq.Complete()
    greq.Wait(status)
    assert said[0] == "cancel" and "query" in said and status.Get_elements(MPI.BYTE) == 3


@part
def collectives():
    one, each, place = ints(rank), [1] * size, list(range(size))
    all_of, got, tens = zeros(size), zeros(1), array("i", [10 * i for i in place])
    vector, many = [all_of, (each, place), INT], array("i", [rank] * size)
    bytes_of = (each, [4 * i for i in place])
    user = MPI.Op.Create(lambda a, b, datatype: b.__setitem__(slice(None), bytes(map(max, bytes(a), bytes(b)))), True)
    assert user.Is_commutative()
    folds = ((MPI.SUM, sum), (MPI.MAX, max), (MPI.BXOR, lambda values: functools.reduce(operator.xor, values)),
             (user, max))

    def at_root(x):
        return x if rank == 0 else None

    for start in ("", "I"):
        def call(name, *arguments):
            request = getattr(world, start + (name.lower() if start else name))(*arguments)
            if start:
                request.Wait()

        def gives(wanted, to, name, *arguments):
            call(name, *arguments)
            assert wanted is None or list(to) == wanted, (start + name, list(to), wanted)
            to[:] = array("i", [99] * len(to))

        call("Barrier")
        got[0] = 0 if rank else 7
        gives([7], got, "Bcast", got, 0)
        gives(at_root(place), all_of, "Gather", one, at_root(all_of))
        gives(at_root(place), all_of, "Gatherv", one, at_root(vector))
        gives([10 * rank], got, "Scatter", at_root(tens), got)
        gives([10 * rank], got, "Scatterv", at_root([tens, (each, place), INT]), got)
        gives(place, all_of, "Allgather", one, all_of)
        all_of[rank] = rank
        gives(place, all_of, "Allgather", MPI.IN_PLACE, all_of)
        gives(place, all_of, "Allgatherv", one, vector)
        gives(place, all_of, "Alltoall", many, all_of)
        gives(place, all_of, "Alltoallv", [many, (each, place), INT], vector)
        gives(place, all_of, "Alltoallw", [many, bytes_of, [INT] * size], [all_of, bytes_of, [INT] * size])
        for op, fold in folds:
            gives(at_root([fold(place)]), got, "Reduce", one, at_root(got), op)
            gives([fold(place)], got, "Allreduce", one, got, op)
            gives([fold(place[:rank + 1])], got, "Scan", one, got, op)
            gives([fold(place[:rank])] if rank else None, got, "Exscan", one, got, op)
        gives([sum(place)], got, "Reduce_scatter", many, got, each)
        gives([sum(place)], got, "Reduce_scatter_block", many, got)
    to = ints(3)
    MPI.SUM.Reduce_local(ints(4), to)
    assert to[0] == 7
    user.Free()


@part
def datatypes():
    made = [INT.Create_contiguous(4), INT.Create_vector(2, 1, 2), INT.Create_hvector(2, 1, 8),
            INT.Create_indexed([1, 2], [0, 3]), INT.Create_hindexed([1, 2], [0, 12]),
            INT.Create_indexed_block(1, [0, 2, 4]), INT.Create_hindexed_block(1, [0, 8]),
            INT.Create_subarray([4, 4], [2, 2], [1, 1]), INT.Create_resized(0, 16), INT.Dup(),
            INT.Create_darray(size, rank, [4 * size], [MPI.DISTRIBUTE_BLOCK], [MPI.DISTRIBUTE_DFLT_DARG], [size]),
            MPI.Datatype.Create_struct([1, 1], [0, 8], [INT, MPI.DOUBLE]), MPI.Datatype.Create_f90_integer(5)]
    for datatype in made:
        datatype.Commit()
        assert datatype.Get_size() > 0 and datatype.extent > 0 and datatype.true_extent > 0
        combiner = datatype.Get_envelope()[3]
        if combiner not in (MPI.COMBINER_NAMED, MPI.COMBINER_F90_INTEGER):
            datatype.Get_contents()
        memory, copy = bytearray(256), bytearray(256)
        world.Sendrecv([memory, 1, datatype], right, 0, [copy, 1, datatype], left, 0)
        room = bytearray(datatype.Pack_size(1, world))
        assert datatype.Pack(memory[:datatype.extent], room, 0, world) >= datatype.size
        datatype.Unpack(room, 0, memoryview(copy)[:datatype.extent], world)
    room = bytearray(INT.Pack_external_size("external32", 4))
    INT.Pack_external("external32", ints(1, 2, 3, 4), room, 0)
    got = zeros(4)
    INT.Unpack_external("external32", room, 0, got)
    assert list(got) == [1, 2, 3, 4]
    made[0].Set_name("four")
    assert made[0].Get_name() == "four"
    for datatype in made[:-1]:
        datatype.Free()


@part
def attributes():
    said = []

    def copy(handle, keyval, value):
        said.append("copy")
        return value + 1

    def delete(handle, keyval, value):
        said.append("delete")

    keyval = MPI.Comm.Create_keyval(copy, delete)
    comm = world.Dup()
    comm.Set_attr(keyval, 5)
    dup = comm.Dup()
    assert dup.Get_attr(keyval) == 6
    dup.Delete_attr(keyval)
    dup.Free()
    comm.Free()
    MPI.Comm.Free_keyval(keyval)
    keyval = MPI.Datatype.Create_keyval(copy, delete)
    datatype = INT.Dup()
    datatype.Set_attr(keyval, 5)
    dup = datatype.Dup()
    assert dup.Get_attr(keyval) == 6
    dup.Free()
    datatype.Free()
    MPI.Datatype.Free_keyval(keyval)
    keyval = MPI.Win.Create_keyval(None, delete)
    win = MPI.Win.Create(bytearray(8), comm=world)
    win.Set_attr(keyval, 5)
    win.Free()
    MPI.Win.Free_keyval(keyval)
    assert said == ["copy", "delete", "delete", "copy", "delete", "delete", "delete"]


@part
def errors():
    comm = world.Dup()
    comm.Set_errhandler(MPI.ERRORS_RETURN)
    for wrong in (lambda: comm.Send(ints(1), size + 5), lambda: comm.Recv(zeros(1), 0, -55),
                  lambda: comm.Bcast(ints(1), size), lambda: comm.Split(-8),
                  lambda: comm.Create_cart([size + 1]), lambda: MPI.COMM_NULL.Barrier(),
                  lambda: MPI.DATATYPE_NULL.Commit()):
        try:
            wrong()
            raise AssertionError("an error was expected")
        except MPI.Exception as error:
            assert error.Get_error_class() != MPI.SUCCESS and error.Get_error_string()
    handler = comm.Get_errhandler()
    assert handler == MPI.ERRORS_RETURN
    handler.Free()
    request = world.Isend(ints(1, 2, 3), right, 0)
    try:
        comm.Recv(zeros(1), MPI.PROC_NULL)
        world.Recv(zeros(1), left, 0)
        raise AssertionError("a message that was cut was expected")
    except MPI.Exception as error:
        assert error.Get_error_class() == MPI.ERR_TRUNCATE
    request.Wait()
    try:
        MPI.File.Open(MPI.COMM_SELF, where + "/not/there", MPI.MODE_RDONLY)
        raise AssertionError("no file was expected")
    except MPI.Exception as error:
        assert error.Get_error_class() == MPI.ERR_NO_SUCH_FILE
    comm.Call_errhandler(MPI.ERR_OTHER)
    comm.Free()


@part
def infos():
    info = MPI.Info.Create()
    info.Set("key", "value")
    info["other"] = "thing"
    assert info.Get("key") == "value" and info.Get_nkeys() == 2 and info.Get_nthkey(0) in ("key", "other")
    dup = info.Dup()
    info.Delete("key")
    assert "key" not in info and dict(dup.items()) == {"key": "value", "other": "thing"}
    world.Set_info(dup)
    world.Get_info().Free()
    info.Free()
    dup.Free()


def one_sided(win):
    have, got = ints(rank), [zeros(1) for i in range(5)]
    mine = memoryview(win.tomemory()).cast("i")
    mine[:] = zeros(len(mine))
    win.Fence()
    win.Put(have, right)
    win.Fence()
    assert mine[0] == left
    win.Get(got[0], right)
    win.Accumulate(have, right, 7, MPI.SUM)
    win.Fence(MPI.MODE_NOSUCCEED)
    assert got[0][0] == rank and mine[7] == left
    world.Barrier()
    win.Lock(right, MPI.LOCK_EXCLUSIVE)
    win.Get_accumulate(ints(1), got[0], right, 1, MPI.SUM)
    win.Fetch_and_op(ints(1), got[1], right, 1, MPI.SUM)
    win.Compare_and_swap(ints(5), ints(0), got[2], right, 2)
    win.Flush(right)
    win.Flush_local(right)
    assert [each[0] for each in got[:3]] == [0, 1, 0]
    win.Unlock(right)
    win.Lock_all()
    MPI.Request.Waitall([win.Rput(have, right, 3), win.Rget(got[3], right, 1),
                         win.Raccumulate(have, right, 4, MPI.SUM), win.Rget_accumulate(have, got[4], right, 5)])
    assert got[3][0] == 2 and got[4][0] == 0
    win.Flush_all()
    win.Flush_local_all()
    win.Sync()
    win.Unlock_all()
    world.Barrier()
    win.Lock(rank)
    assert list(mine[1:6]) == [2, 5, left, left, left]
    win.Unlock(rank)
    world.Barrier()
    group = world.Get_group()
    to, come = group.Incl([right]), group.Incl([left])
    win.Post(come)
    win.Start(to)
    win.Put(have, right, 6)
    win.Complete()
    win.Wait()
    assert mine[6] == left
    win.Post(come)
    win.Start(to)
    win.Complete()
    while not win.Test():
        pass
    for each in (group, to, come):
        each.Free()


@part
def windows():
    for make in (lambda: MPI.Win.Allocate(64, 4, comm=world), lambda: MPI.Win.Allocate_shared(64, 4, comm=world),
                 lambda: MPI.Win.Create(bytearray(64), 4, comm=world)):
        win = make()
        win.Set_name("a window")
        assert win.Get_name() == "a window" and len(win.tomemory()) == 64 and win.Get_attr(MPI.WIN_SIZE) == 64
        win.Set_errhandler(MPI.ERRORS_RETURN)
        win.Get_group().Free()
        one_sided(win)
        assert win.flavor != MPI.WIN_FLAVOR_SHARED or win.Shared_query(0)[1] == 4
        world.Barrier()
        win.Free()
    win = MPI.Win.Create_dynamic(comm=world)
    memory = bytearray(64)
    win.Attach(memory)
    there = world.allgather(MPI.Get_address(memory))
    win.Lock(right)
    win.Put(ints(rank), right, there[right])
    win.Unlock(right)
    world.Barrier()
    assert memory[0] == left
    win.Detach(memory)
    win.Free()


@part
def files():
    path = where + "/file"
    have, got = array("i", [rank] * 10), zeros(10)
    file = MPI.File.Open(world, path, MPI.MODE_RDWR | MPI.MODE_CREATE)
    file.Set_size(0)
    file.Preallocate(40 * size)
    file.Set_view(40 * rank, INT, INT, "native")
    assert file.Get_view()[0] == 40 * rank and file.amode & MPI.MODE_RDWR and file.Get_group().size == size
    for name, buffer in (("Write", have), ("Read", got)):
        def call(kind, *arguments):
            return getattr(file, name + kind)(*arguments)

        def icall(kind, *arguments):
            getattr(file, "I" + name.lower() + kind)(*arguments).Wait()

        def done():
            if name == "Read":
                assert got == have
                got[:] = zeros(10)

        for doing, kind in ((call, "_at"), (call, "_at_all"), (icall, "_at"), (icall, "_at_all")):
            doing(kind, 0, buffer)
            done()
        call("_at_all_begin", 0, buffer)
        call("_at_all_end", buffer)
        done()
        for doing, kind in ((call, ""), (call, "_all"), (icall, ""), (icall, "_all")):
            file.Seek(0)
            doing(kind, buffer)
            done()
        file.Seek(0)
        call("_all_begin", buffer)
        call("_all_end", buffer)
        done()
        assert file.Get_position() == 10 and file.Get_byte_offset(0) == 40 * rank
        file.Sync()
        world.Barrier()
    assert file.Get_size() == 40 * size
    file.Set_atomicity(False)
    assert file.Get_atomicity() is False and file.Get_type_extent(INT) == 4
    file.Set_view(0, INT)
    for name in ("Write", "Read"):
        file.Seek_shared(0)
        getattr(file, name + "_shared")(have)
        world.Barrier()
        file.Seek_shared(0)
        getattr(file, name + "_ordered")(have)
        getattr(file, "I" + name.lower() + "_shared")(have if name == "Write" else zeros(0)).Wait()
        world.Barrier()
        file.Seek_shared(0)
        getattr(file, name + "_ordered_begin")(have)
        getattr(file, name + "_ordered_end")(have)
        world.Barrier()
    file.Get_position_shared()
    info = file.Get_info()
    file.Set_info(info)
    info.Free()
    file.Close()
    world.Barrier()
    if rank == 0:
        MPI.File.Delete(path)


@part
def threads():
    wrong = []

    def work(number, comm):
        got = zeros(1)
        for i in range(50):
            request = comm.Irecv(got, left, number)
            comm.Send(ints(i), right, number)
            request.Wait()
            if got[0] != i or comm.sendrecv(i, right, 100 + number, source=left, recvtag=100 + number) != i:
                wrong.append(number)
        comm.Barrier()

    comms = [world.Dup() for i in range(3)]
    workers = [threading.Thread(target=work, args=(i, comm)) for i, comm in enumerate(comms)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for comm in comms:
        comm.Free()
    assert not wrong


@part
def connections():
    port = world.bcast(MPI.Open_port() if rank == 0 else None)
    half = world.Split(rank % 2)
    inter = half.Accept(port) if rank % 2 == 0 else half.Connect(port)
    assert inter.is_inter and inter.remote_size == size - half.size
    inter.barrier()
    inter.Disconnect()
    half.Free()
    if rank == 0:
        MPI.Close_port(port)


@part
def pool():
    with futures.MPICommExecutor(world, 0) as executor:
        if executor is not None:
            assert list(executor.map(abs, range(-9, 1))) == list(range(9, -1, -1))


@part
def children():
    if sys.argv[2:] != ["spawn"]:
        return
    child = "from mpi4py import MPI; up = MPI.Comm.Get_parent(); up.send(MPI.COMM_WORLD.rank, 0); up.Disconnect()"
    down = world.Spawn(sys.executable, ["-c", child], 2)
    if rank == 0:
        assert sorted(down.recv() for i in range(2)) == [0, 1]
    down.Disconnect()
    if rank == 0:
        print("children sent their ranks")


for function in parts:
    function()
    world.Barrier()
    if rank == 0:
        print(function.__name__, "done", flush=True)
