"""`kill -9` while users chat: everything they were told stays true, each stream continues with the next byte,
and every answer is the same as without the kill."""
import signal
import time

import chatting
import crashes
import pytest
import turns


def kill_again_and_again(start, folder, chance, times, **options):
    life = chatting.Life(start, folder)
    with chatting.Chatters() as chatters:
        for _ in range(times):
            chatters.begin(life, clients=chance.choice((1, 8, 16)), seed=chance.randrange(10**9),
                           kill={"pid": life.server.pid, "after": chance.randrange(1, 400),
                                 **options})
            chatters.result()
            life.see_its_end()
            life.come_back()
    cut = sum(turn.cut for turn in life.settled)
    life.end()
    assert cut > times / 2, "hardly any turn was cut"


@pytest.mark.parametrize("directory", range(crashes.how_often(1, 40)))
def test_kills_while_people_chat(start, tmp_path, directory):
    chance = crashes.chance_for(f"chat kills {directory}")
    kill_again_and_again(start, tmp_path, chance, crashes.how_often(8, 25))


def test_kills_of_a_server_that_was_stopped(start, tmp_path):
    chance = crashes.chance_for("chat kills, stopped")
    kill_again_and_again(start, tmp_path, chance, crashes.how_often(2, 25), freeze=True)


def test_a_server_that_stands_still_for_a_while(start, tmp_path):
    """SIGSTOP alone loses nothing."""
    chance = crashes.chance_for("chat, standing still")
    life = chatting.Life(start, tmp_path)
    with chatting.Chatters() as chatters:
        chatters.begin(life, clients=8, seed=chance.randrange(10**9), at_most=150)
        for _ in range(3):
            life.server.signal(signal.SIGSTOP)
            time.sleep(0.3)
            life.server.signal(signal.SIGCONT)
            time.sleep(0.1)
        chatters.result()
    life.compare()
    assert not any(turn.cut for turn in life.settled) and len(life.settled) >= 150
    life.end()


def change_frames(old, new):
    return lambda turn: setattr(turn, "frames", turn.frames.replace(old, new, 1))


FAULTS = {
    "other bytes": (change_frames("client", "cliend"), "other bytes than before"),
    "a gap": (change_frames("id: 2\n", "id: 3\n"), "other bytes than before"),
    "another question": (lambda turn: turn.body.update(message=turn.body["message"] + "!"),
                         "another question"),
    "another answer": (lambda turn: turn.run.update(completed_at="then"),
                       "acknowledged, and changed"),
    "a run that was never begun": (lambda turn: turn.run.update(id="run_" + "0" * 28), "not_found"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_comparison_sees(start, tmp_path, fault):
    spoil, complaint = FAULTS[fault]
    life = chatting.Life(start, tmp_path)
    with chatting.Chatters() as chatters:
        chatters.begin(life, clients=2, seed=7, at_most=12)
        chatters.result()
    known = turns.read(life.ledger)
    turns.Settling(life.person).settle(known)
    streamed = next(turn for turn in known if len(turn.numbers) > 3)
    spoil(streamed)
    with pytest.raises(AssertionError, match=complaint):
        turns.Settling(life.person).settle(known)
