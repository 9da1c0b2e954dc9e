#!/usr/bin/env python3
"""A chat completions server for measurements: streams `max_tokens` events, the first at once, the others
`seed` milliseconds apart. Its port is an argument."""
import asyncio
import contextlib
import json
import pathlib
import socket
import sys

import contenders

HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def event(number):
    return chunk(b"data: " + json.dumps({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "there",
        "choices": [{"index": 0, "delta": {"content": f" w{number}"}, "finish_reason": None}]}).encode()
        + b"\n\n")


LAST = chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"


async def serve(reader, writer):
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            size = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
            asked = json.loads(await reader.readexactly(size) or b"{}")  # A GET only checks that the server is up.
            count, apart = asked.get("max_tokens", 4), asked.get("seed", 0) / 1000
            writer.write(HEAD + event(0))
            for number in range(1, count):
                if apart:
                    await asyncio.sleep(apart)
                writer.write(event(number))
            writer.write(LAST)
            await writer.drain()
    writer.close()


class Streaming(contenders.Contender):
    """The server in a process of its own, on one core."""

    name = "model"

    def __init__(self, core):
        self.port = contenders.free_port()
        super().__init__([sys.executable, pathlib.Path(__file__), self.port], "/", "/dev/null", core)

    def body(self, path=None):
        socket.create_connection(("127.0.0.1", self.port), timeout=5).close()


async def main(port):
    server = await asyncio.start_server(serve, "127.0.0.1", port, backlog=1024)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(int(sys.argv[1])))
