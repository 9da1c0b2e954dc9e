"""A server that has nothing to do takes no processor time."""
import time

import chats
import wire


def used_in(server, seconds):
    before = server.cpu_seconds()
    time.sleep(seconds)
    return server.cpu_seconds() - before


def used_for_requests(server, count):
    before = server.cpu_seconds()
    with wire.Connection(server.address) as connection:
        for _ in range(count):
            assert connection.ask("GET", "/healthz").status == 200
    return server.cpu_seconds() - before


def test_an_idle_server_takes_no_processor_time():
    with chats.house() as house:
        chats.somebody(house, "ana").ask("Hello!")
        # The first seconds still belong to the start; a busy machine makes them longer.
        # A slow processor needs more time for what little there is to do, as for anything else.
        most = max(0.03, used_for_requests(house.server, 100))
        used = []
        while not used or used[-1] > most:
            assert len(used) < 20, used
            used.append(used_in(house.server, 2))
