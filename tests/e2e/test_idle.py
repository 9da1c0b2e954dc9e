"""A server that has nothing to do takes no processor time."""
import os
import time

import chats

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(server):
    with open(f"/proc/{server.pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS


def used_in(server, seconds):
    before = processor_seconds(server)
    time.sleep(seconds)
    return processor_seconds(server) - before


def test_an_idle_server_takes_no_processor_time():
    with chats.house() as house:
        chats.somebody(house, "ana").ask("Hello!")
        # The first seconds still belong to the start; a busy machine makes them longer.
        used = []
        while not used or used[-1] > 0.03:
            assert len(used) < 20, used
            used.append(used_in(house.server, 2))
