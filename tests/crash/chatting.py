"""A house in which people chat while its server dies, again and again: what such tests share."""
import subprocess
import sys
import time

import chats
import crashes
import turns

# In a second: as many as these clients can ask.
SETTINGS = {**crashes.settings(), "limits.chat": 500, "limits.general": 1000}


class Chatters(crashes.Clients):
    """The process in which they live (chatters.py)."""

    def __init__(self):  # Another program, and all else alike.
        self.process = subprocess.Popen([sys.executable, crashes.HERE / "chatters.py"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0

    def begin(self, life, clients=8, **order):
        self._tell({"address": life.house.server.address, "token": life.person.token,
                    "ledger": str(life.ledger), "clients": clients, "first": self.sent, **order})


class Life:
    """A house over many crashes, somebody who chats in it, and what their clients know."""

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
        """Starts the server again, and compares what is new in the ledger."""
        began = time.monotonic()
        self.house.come_back()
        self.compare(began, power_was_cut)

    def compare(self, began=None, power_was_cut=False):
        new = turns.read(self.ledger)[len(self.settled):]
        turns.Settling(self.person, began, power_was_cut).settle(new)
        self.settled += new

    def end(self):
        """Ends it well, after a look at everything."""
        turns.check_all(self.person, self.settled)
        self.server.stop()
        print(f"{len(self.settled)} turns, {sum(turn.cut for turn in self.settled)} of them cut, "
              f"{sum(len(turn.numbers) for turn in self.settled)} events seen")
