"""Connections that can be broken: a proxy, between a server and its database or between HAProxy and a server.

A stalled wire keeps what it is given and delivers it when it passes again, as a network does: so writes of a
server that was cut off arrive late. A cut wire ends its connections; new ones are accepted."""
import asyncio
import threading

THERE, BACK = "there", "back"  # From the client of the wire to its target, and the other way.


class Gone(Exception):
    """What was sent to a machine that has gone is not acknowledged."""


class Wire:
    """Listens on a free port. `target` is called for each connection: a path of a Unix socket, or a host and a
    port. `change` may replace what the target says, for each read of it. All methods that begin with an underscore
    run on the thread of the loop."""

    def __init__(self, loop, target, change=lambda data: data):
        self._loop = loop
        self._target = target
        self._change = change
        self._passes = {}
        self._writers = set()
        self._server = None
        self._is_gone = False
        self.address = self._call(self._open())

    def stall(self, *directions):
        """Both directions, unless only one is named."""
        self._call(self._set(directions or (THERE, BACK), False))

    def heal(self):
        self._call(self._set((THERE, BACK), True))

    def cut(self):
        self._call(self._end_all())

    def vanish(self, is_held_open):
        """As a machine that has lost its power: nothing comes any more, and new connections are refused. Those on
        which something is sent end after two seconds (tcp_user_timeout), unless a proxy holds them open."""
        self._is_gone = not is_held_open
        self.stall()
        self._call(self._close())

    def close(self):
        self.heal()
        self.cut()
        self._call(self._close())

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _open(self):
        self._passes = {THERE: asyncio.Event(), BACK: asyncio.Event()}
        await self._set((THERE, BACK), True)
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=256)
        return self._server.sockets[0].getsockname()

    async def _close(self):
        self._server.close()

    async def _set(self, directions, passes):
        for each in directions:
            if passes:
                self._passes[each].set()
            else:
                self._passes[each].clear()

    async def _end_all(self):
        for writer in list(self._writers):
            writer.transport.abort()

    async def _connect(self):
        target = self._target()
        if isinstance(target, tuple):
            return await asyncio.open_connection(*target)
        return await asyncio.open_unix_connection(str(target))

    async def _serve(self, reader, writer):
        self._writers.add(writer)
        try:
            await self._passes[THERE].wait()
            target_reader, target_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            self._writers.discard(writer)
            return
        self._writers.add(target_writer)
        try:
            await asyncio.gather(self._pump(reader, target_writer, THERE), self._pump(target_reader, writer, BACK))
        except Gone:
            await asyncio.sleep(2)
        for each in (writer, target_writer):
            each.transport.abort()
            self._writers.discard(each)

    def _through(self, data, direction):
        """What is passed on instead of this."""
        return self._change(data) if direction == BACK else data

    async def _pump(self, reader, writer, direction):
        try:
            while data := await reader.read(65536):
                if self._is_gone and direction == THERE:
                    raise Gone
                await self._passes[direction].wait()
                writer.write(self._through(data, direction))
                await writer.drain()
            await self._passes[direction].wait()
            writer.write_eof()
        except OSError:
            writer.transport.abort()  # The other direction ends, too.


class Wires:
    """All wires of a test, on a thread of their own."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._wires = []

    def add(self, target, kind=Wire, **options):
        self._wires.append(kind(self._loop, target, **options))
        return self._wires[-1]

    def close(self):
        for wire in self._wires:
            wire.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
