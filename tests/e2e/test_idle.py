"""A server that has nothing to do takes no processor time."""
import os
import time

import chats

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(server):
    with open(f"/proc/{server.pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS


def test_an_idle_server_takes_no_processor_time():
    with chats.house() as house:
        chats.somebody(house, "ana").ask("Hello!")
        time.sleep(2)  # The end of the start.
        before = processor_seconds(house.server)
        time.sleep(4)
        assert processor_seconds(house.server) - before < 0.08
