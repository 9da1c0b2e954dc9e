"""Shared by tests in which users chat while their server crashes, again and again."""
import subprocess
import sys
import time

import chats
import crashes
import turns

# Per second: as many as these clients can send.
SETTINGS = {**crashes.settings(), "limits.chat": 500, "limits.general": 1000}


class Chatters(crashes.Clients):
    """The process of the clients (chatters.py)."""

    def __init__(self):  # Another program than clients.py; the rest is the same.
        self.process = subprocess.Popen([sys.executable, crashes.HERE / "chatters.py"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0

    def begin(self, life, clients=8, **order):
        self._tell({"address": life.house.server.address, "token": life.person.token,
                    "ledger": str(life.ledger), "clients": clients, "first": self.sent, **order})


class Life:
    """A house over many crashes, a user who chats, and the ledger of their clients."""

    def __init__(self, start, directory, settings=None, environment=None):
        def start_one(*arguments, **options):
            return start(*arguments, environment=environment, **options)
        self.directory = directory / "data"
        self.house = chats.LastingHouse(start_one, self.directory, {**SETTINGS, **(settings or {})})
        self.person = chats.somebody(self.house, "ana")
        self.ledger = directory / "turns"
        self.ledger.touch()
        self.settled = []  # All turns that were compared.

    @property
    def server(self):
        return self.house.server

    def see_its_end(self):
        assert self.server.wait() == -9, self.server.log.text()[-4000:]

    def come_back(self, power_was_cut=False):
        """Starts the server again, and compares the new entries of the ledger."""
        began = time.time()
        self.house.come_back()
        self.compare(began, power_was_cut)

    def compare(self, began=None, power_was_cut=False):
        new = turns.read(self.ledger)[len(self.settled):]
        turns.Settling(self.person, began, power_was_cut).settle(new)
        self.settled += new

    def end(self):
        """Stops it orderly, after a check of everything."""
        turns.check_all(self.person, self.settled)
        self.server.stop()
        print(f"{len(self.settled)} turns, {sum(turn.cut for turn in self.settled)} of them cut, "
              f"{sum(len(turn.numbers) for turn in self.settled)} events seen")
