"""A server is killed before each single system call, in turn: during one operation and the shutdown after it,
during a start with an existing store, and during the first start."""
import collections
import itertools
import shutil
import signal

import clients
import crashes
import data
import ledger
import program
import pytest
import straced
import wire

pytestmark = straced.needed


def kill_before_each(calls, attempt):
    """Attempts all counted calls, and continues until one is no longer reached; or only the first, every
    seventh and the last. Returns the number of kills by call."""
    killed = collections.Counter()
    for call, times in sorted(calls.items()):
        for number in itertools.count(1):
            if not crashes.FULL and number % 7 != 1 and number < times:
                continue
            reached = attempt(*call, number)
            killed[call[-1]] += reached
            if number >= times and not (reached and crashes.FULL):
                break
    print(f"{killed.total()} kills: {dict(killed)}")
    return killed


def one_operation(life, note):
    """Creates a note, records the result, and stops the server if it is still alive."""
    server = life.server
    response = None
    try:
        with wire.Connection(server.address) as connection:
            response = clients.answer_to(connection, data.token(life.directory), note)
    except OSError:
        pass  # Killed before it accepted the connection.
    kept = response is not None and response.status == 201
    assert kept or response is None, response
    entry = ledger.Entry(note, response.json() if kept else None, 201 if kept else None, 0)
    with open(life.ledger, "a", encoding="utf-8") as file:
        file.write(entry.line())
    if server.is_alive():
        server.signal(signal.SIGTERM)
    return server.wait()


def calls_of_one_operation(life, report):
    """Counted once, by thread and call, with an existing store, as in every attempt."""
    life.start().stop()
    server = life.start()
    threads = straced.threads_of(server.pid)
    with straced.Attached(server.pid, "-o", report, "-e", "trace=" + ",".join(straced.CALLS),
                          all_threads=True):
        assert one_operation(life, "client 0 note 0: counted") == 0
    return straced.calls_by_thread(report, threads)


def test_killed_before_each_call_of_an_operation(start, tmp_path):
    life = crashes.Life(start, tmp_path, straced.ONE_OF_EACH, straced.ENVIRONMENT)
    calls = calls_of_one_operation(life, tmp_path / "report")
    notes = itertools.count(1)

    def attempt(thread, call, number):
        server = life.start()
        with straced.Attached(straced.threads_of(server.pid)[thread],
                              *straced.kill_before(call, number)):
            code = one_operation(life, f"client 0 note {next(notes)}: {thread} {call} {number}")
        assert code in (-9, 0), server.log.text()
        ledger.compare(ledger.read(life.ledger), data.events_on_disk(life.directory))
        return code == -9

    killed = kill_before_each(calls, attempt)
    life.start().stop()
    assert killed["pwrite64"] and killed["fdatasync"] and killed["sendmsg"] + killed["writev"]


def left_by_a_kill(start, folder):
    """A directory with notes in its database and in the log beside it."""
    life = crashes.Life(start, folder)
    with crashes.Clients() as writers:
        server = life.start()
        writers.begin(server, life.directory, life.ledger, seed="start",
                      kill={"pid": server.pid, "after": 200})
        writers.result()
    life.see_its_end()
    return life


def calls_of_a_start(directory, report):
    """The maximum of each call over all threads: strace kills the first thread that reaches a count."""
    attempt = straced.Start(directory, "-o", report, "-e", "trace=" + ",".join(straced.CALLS))
    attempt.end()
    assert attempt.came_up, attempt.log.text()
    most = collections.Counter()
    for (_, call), times in straced.count_calls(report).items():
        most[call,] = max(most[call,], times)
    return most


def restored_from_a_backup(start, folder):
    """Its database has no log, and was never opened by a server."""
    life = left_by_a_kill(start, folder)
    backup = folder / "backup.db"
    for command in (("backup", backup, "--data", life.directory),
                    ("restore", backup, "--data", folder / "restored")):
        done = program.run(*command)
        assert done.returncode == 0, done
    life.directory = folder / "restored"
    return life


def no_directory_yet(start, folder):
    return crashes.Life(start, folder)


@pytest.mark.parametrize("found", [left_by_a_kill, restored_from_a_backup, no_directory_yet],
                         ids=lambda found: found.__name__)
def test_killed_before_each_call_of_a_start(start, tmp_path, found):
    before = found(start, tmp_path)
    entries = ledger.read(before.ledger)

    def new_directory(name):
        if before.directory.exists():
            shutil.copytree(before.directory, tmp_path / name)
        return tmp_path / name

    def attempt(call, number):
        directory = new_directory(f"{call} {number}")
        begun = straced.Start(directory, "-o", "/dev/null", *straced.kill_before(call, number))
        begun.end()
        server = start("--data", directory)
        ledger.compare(entries, data.events_over_http(server, directory))
        assert data.leave_note(server, directory, "client 0 note 1000000: go on").status == 201
        server.signal(signal.SIGKILL)
        server.wait()
        shutil.rmtree(directory)
        return not begun.came_up

    calls = calls_of_a_start(new_directory("counted"), tmp_path / "report")
    killed = kill_before_each(calls, attempt)
    assert killed["pwrite64"] and killed["fsync"]
