"""A disk that fails under a running server: no write is acknowledged that was not stored, reads continue, and
the server recovers if possible."""
import contextlib
import shutil
import subprocess

import crashes
import data
import ledger
import program
import pytest
import straced
import wire

MANY = 3000  # More notes than fit on any disk of these tests.


@contextlib.contextmanager
def broken_by_the_test_build(server, fault):
    crashes.break_disk(server, fault=fault)
    yield
    crashes.break_disk(server, fault="none")


@contextlib.contextmanager
def small_room(disk, left=100_000):
    """Fills a disk, except for some bytes."""
    filler = disk / "filler"
    with open(filler, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while shutil.disk_usage(disk).free > left:
                file.write(bytes(4096))
    yield
    filler.unlink()


def by_strace(call, error, when="1+"):
    return lambda server: straced.Attached(
        server.pid, "-o", "/dev/null", "-e", f"trace={call}", "-e",
        f"inject={call}:error={error}:when={when}", all_threads=True)


def by_the_test_build(fault):
    return lambda server: broken_by_the_test_build(server, fault)


only_test_builds = pytest.mark.skipif(not crashes.knows("test.faults"),
                                      reason="only test builds can break their disk")


@pytest.fixture
def store(life):
    """The directory of a server that can fail in either way."""
    life.environment = straced.ENVIRONMENT
    return life


class Writer:
    """One client that continues after a refusal, and records all responses."""

    def __init__(self, life):
        self.life = life
        self.number = 10_000

    def leave_note(self, fate_is_known=True):
        self.number += 1
        note = f"client 0 note {self.number}: " + "x" * 900
        answer = data.leave_note(self.life.server, self.life.directory, note)
        kept = answer.status == 201
        status = answer.status if kept or fate_is_known else None
        with open(self.life.ledger, "a", encoding="utf-8") as file:
            file.write(ledger.Entry(note, answer.json() if kept else None, status, 0).line())
        if not kept:
            check_refusal(answer)
        return answer

    def write_until_refused(self):
        for _ in range(MANY):
            answer = self.leave_note()
            if answer.status != 201:
                return answer
        raise AssertionError("the disk was never full")


def check_refusal(answer):
    assert answer.status == 503 and answer.json()["code"] == "storage_unavailable", answer
    assert int(answer.header("retry-after")) >= 1


def check_reading(life):
    """All acknowledged notes can be read, and no others."""
    ledger.compare(ledger.read(life.ledger), data.events_over_http(life.server, life.directory))


def statuses(server):
    with wire.Connection(server.address) as connection:
        return [connection.ask("GET", path).status for path in ("/healthz", "/readyz")]


def told(server, level):
    return [entry["message"] for entry in server.log.entries(level=level)]


@pytest.mark.parametrize("broken", [
    pytest.param(by_the_test_build("lost_sync"), marks=only_test_builds, id="test build"),
    pytest.param(by_strace("fdatasync", "EIO", "1"), marks=straced.needed, id="system call"),
])
def test_a_failed_sync_ends_all_writing_until_the_next_start(store, broken):
    server = store.start()
    writer = Writer(store)
    assert writer.leave_note().status == 201
    with broken(server):
        # An unconfirmed write may still be on the disk later; it was not acknowledged.
        assert writer.leave_note(fate_is_known=False).status == 503
        # The next sync would succeed without writing the lost data.
        assert [writer.leave_note().status for _ in range(5)] == [503] * 5
    assert writer.leave_note().status == 503
    check_reading(store)
    assert statuses(server) == [200, 503]
    check_refusal(data.ask(server, store.directory, "GET", "/readyz"))
    server.stop()
    assert sum("nothing is written any more" in line for line in told(server, "error")) == 1

    server = store.start()
    assert writer.leave_note().status == 201 and statuses(server) == [200, 200]
    check_reading(store)


@only_test_builds
def test_a_full_disk_of_the_test_build(store):
    check_a_full_disk(store, lambda: by_the_test_build("disk_full")(store.server))


def test_a_disk_that_is_really_full(store, small_disk):
    move(store, small_disk)
    check_a_full_disk(store, lambda: small_room(small_disk, left=0))


def check_a_full_disk(store, fill):
    server = store.start()
    writer = Writer(store)
    for _ in range(2):
        with fill():
            answer = writer.write_until_refused()
            assert "full" in answer.json()["detail"], answer
            assert [writer.leave_note().status for _ in range(5)] == [503] * 5
            check_reading(store)
        assert writer.leave_note().status == 201, "it recovers by itself"
        check_reading(store)
    server.stop()  # Now its whole output has been read.
    assert told(server, "error").count("cannot write to the database; retrying") == 2
    assert told(server, "info").count("database writable again") == 2
    store.start()


def test_a_backup_for_which_there_is_no_room(store, small_disk):
    move(store, small_disk)
    server = store.start()
    with small_room(small_disk):
        check_refusal(data.ask(server, store.directory, "POST", "/v1/api/backups"))
        assert not list(store.directory.glob("backup*")), "half a backup is worse than none"
    assert data.ask(server, store.directory, "POST", "/v1/api/backups").status == 200


def test_a_full_disk_at_the_start(store, small_disk):
    """It starts, or prints one sentence with the reason; when there is room, it starts."""
    move(store, small_disk)
    with small_room(small_disk, left=0):
        said = program.run("serve", "--data", store.directory, "--listen", "127.0.0.1:0",
                           "--set=metrics.listen=off")
    lines = [line for line in said.stderr.splitlines() if not program.entry_of(line)]
    assert said.returncode == 1 and len(lines) == 1, said
    assert "full" in lines[0] or "No space left" in lines[0]
    store.start()
    assert Writer(store).leave_note().status == 201


@straced.needed
def test_a_disk_that_becomes_read_only(store):
    """As Linux does after a device error."""
    server = store.start()
    writer = Writer(store)
    with by_strace("pwrite64,ftruncate,unlink", "EROFS")(server):
        assert [writer.leave_note().status for _ in range(5)] == [503] * 5
        check_reading(store)
    assert writer.leave_note().status == 201, "it recovers by itself"
    check_reading(store)


def move(life, disk):
    """Moves a data directory to another disk."""
    subprocess.run(["cp", "-a", life.directory, disk / "data"], check=True)
    life.directory = disk / "data"
