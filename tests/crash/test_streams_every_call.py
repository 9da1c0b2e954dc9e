"""A server is killed before each single system call that it makes for one question, in turn: everything that
a client was told is still true after the next start."""
import itertools
import signal

import chatting
import feeds
import straced
import turns
from test_every_call import kill_before_each

pytestmark = straced.needed

def one_turn(life, name, number):
    """Asks with a stream, records the events, and stops the server if it is still alive."""
    server = life.server
    body = {"message": f"{{delay_ms:1}} client {name} turn {number} says little", "stream": True}
    turn = turns.Turn(f"{name}-{number}", body, None, None, "", True)
    try:
        with feeds.Feed(server, "POST", "/chat/query", life.person.token, body,
                        {"Idempotency-Key": turn.key}) as feed:
            turn.status = feed.response.status
            while event := feed.next():
                turn.frames += event.frame.decode()
                turn.run = event.data.get("run") or turn.run
        turn.cut = False
    except (feeds.Cut, ConnectionError):
        pass
    with open(life.ledger, "a", encoding="utf-8") as file:
        file.write(turn.line())
    if server.is_alive():
        server.signal(signal.SIGTERM)
    return server.wait()


def calls_of_one_turn(life, report):
    """Counted once, by thread and call, with an existing store, as in every attempt."""
    threads = straced.threads_of(life.server.pid)
    with straced.Attached(life.server.pid, "-o", report, "-e", "trace=" + ",".join(straced.CALLS),
                          all_threads=True):
        assert one_turn(life, "counted", 0) == 0
    return straced.calls_by_thread(report, threads)


def test_killed_before_each_call_of_a_turn(start, tmp_path):
    life = chatting.Life(start, tmp_path, straced.ONE_OF_EACH, straced.ENVIRONMENT)
    calls = calls_of_one_turn(life, tmp_path / "report")
    numbers = itertools.count(1)
    life.come_back()

    def attempt(thread, call, number):
        server = life.server
        with straced.Attached(straced.threads_of(server.pid)[thread],
                              *straced.kill_before(call, number)):
            code = one_turn(life, f"{thread}-{call}", next(numbers))
        assert code in (-9, 0), server.log.text()
        life.come_back()
        return code == -9

    killed = kill_before_each(calls, attempt)
    life.end()
    assert killed["pwrite64"] + killed["write"] and killed["fdatasync"], killed
    assert killed["sendmsg"] + killed["writev"] + killed["sendto"] + killed["write"], killed
