"""Servers that share a database which each of them reaches by a wire of its own."""
import postgres
import pytest
from replicas import Replicas
from tripwires import Tripwire
from wires import Wires


class Wired(Replicas):
    """`wires` are those of the servers."""

    def __init__(self, start, folder, count):
        self._wires = Wires()
        self._database = postgres.url_for(folder).partition("@/")[2].partition("?")[0]
        self.wires = [self._wires.add(lambda: postgres.shared().socket, kind=Tripwire) for _ in range(count)]
        super().__init__(start, folder, count, urls=[
            "postgresql://parley@%s:%d/%s" % (*wire.address, self._database) for wire in self.wires])

    def query(self, sql):
        return postgres.shared().query(sql, self._database)

    def restart(self, number):
        """After its end."""
        self.servers[number].wait()
        self.servers[number] = self.houses[number].server = self.started(number)

    def close(self):
        for server in self.servers:
            server.stop()
        self._wires.close()


@pytest.fixture(name="wired")
def wired_servers(start, tmp_path):
    """Starts as many as are asked for."""
    made = []

    def make(count):
        made.append(Wired(start, tmp_path, count))
        return made[-1]
    yield make
    for each in made:
        each.close()
