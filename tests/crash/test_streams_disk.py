"""A disk that fails, fills up or loses power while users chat: no client gets wrong information, and every
run has exactly one end."""
import chats
import chatting
import crashes
import feeds
import pytest
import turns
from people import refused
from test_disk_faults import small_room

SLOW = "{words:60} {delay_ms:50}"  # Three seconds.
SLOWER = "{words:60} {delay_ms:100}"  # It must not end before the server is killed, also on a busy machine.

only_test_builds = pytest.mark.skipif(not crashes.knows("test.faults"),
                                      reason="only test builds can break their disk")


def check_refusals(life):
    """While nothing can be stored, no run begins, and reads continue."""
    for options in ({}, {"stream": True}, {"background": True}):
        response = life.person.query("not now", {"Idempotency-Key": "refused"}, **options)
        refused(response, 503, "storage_unavailable")
        assert int(response.header("retry-after")) >= 1
    assert life.person.get("/chat/sessions")["data"]


def check_end(life, run, seen):
    """The run has one end, whose text begins with the text that was seen."""
    ended = life.person.ended(run)
    whole = life.person.events(run)
    assert feeds.frames(whole).startswith(feeds.frames(seen))
    assert whole[-1].data["run"] == ended
    text = feeds.written(whole)
    assert text == chats.text_of(ended["message"])
    assert chats.words(60).startswith(text)
    return ended


@only_test_builds
def test_a_failed_sync_in_mid_stream(start, tmp_path):
    """The run ends after the next start."""
    life = chatting.Life(start, tmp_path)
    kept = life.person.ask("kept")
    with life.person.stream(SLOWER) as feed:
        seen = feed.until(lambda event: event.number == 5)
        crashes.break_disk(life.server, fault="lost_sync")
        first = life.person.query("whose sync fails")
        refused(first, 503, "storage_unavailable")
        check_refusals(life)
        assert life.person.run(kept) == kept
        seen += feed.until(lambda event: event.number >= 8)  # Running runs are in the journal.
        life.house.kill()
        seen += feed.until_cut()[0]
    life.house.come_back()
    ended = check_end(life, seen[0].data["run"], seen)
    assert ended["status"] == "completed" and life.person.run(kept) == kept
    assert life.person.ask("not now", {"Idempotency-Key": "refused"})["status"] == "completed"


def check_a_full_disk(life, fill):
    with life.person.stream(SLOW) as feed:
        seen = feed.until(lambda event: event.number == 3)
        with fill():
            # More than fits into the log of the database, which has its size of the start and is reused.
            statuses = [life.person.query("x" * 100_000, background=True).status
                        for _ in range(15)]
            assert statuses[-1] == 503, statuses
            # Small ones may fit into what is left of it.
            while life.person.query("y", background=True).status != 503:
                pass
            check_refusals(life)
        rest, _ = feed.until_cut()
    ended = check_end(life, seen[0].data["run"], seen + rest)
    assert ended["status"] in ("completed", "failed", "interrupted")
    assert life.person.ask("after all", {"Idempotency-Key": "refused"})["status"] == "completed", (
        "it recovers by itself")
    return ended


@only_test_builds
def test_a_full_disk_of_the_test_build(start, tmp_path):
    life = chatting.Life(start, tmp_path)

    class Full:
        def __enter__(self):
            crashes.break_disk(life.server, fault="disk_full")

        def __exit__(self, *_):
            crashes.break_disk(life.server, fault="none")
    assert check_a_full_disk(life, Full)["status"] == "completed"
    life.server.stop()


def test_a_disk_that_is_really_full(start, small_disk):
    life = chatting.Life(start, small_disk, {"limits.chat": 100, "limits.general": 100,
                                             "store.min_free_mib": 0})
    life.person.ask("before")
    ended = check_a_full_disk(life, lambda: small_room(small_disk, left=0))
    life.house.kill()
    life.house.come_back()
    assert life.person.run(ended) == ended


@only_test_builds
def test_a_full_disk_under_load(start, tmp_path):
    """Refused clients ask again; answered questions are stored."""
    chance = crashes.chance_for("chat, full disk")
    life = chatting.Life(start, tmp_path)
    with chatting.Chatters() as chatters:
        chatters.begin(life, clients=8, seed=chance.randrange(10**9), calmly=True)
        for _ in range(3):
            crashes.break_disk(life.server, fault="disk_full")
            while life.person.query("is it full?", background=True).status != 503:
                pass
            crashes.break_disk(life.server, fault="none")
            while life.person.query("is it not?", background=True).status == 503:
                pass
        chatters.stop()
        chatters.result()
    new = turns.read(life.ledger)
    assert not any(turn.cut for turn in new)
    turns.Settling(life.person).settle(new)
    life.server.stop()


@only_test_builds
@pytest.mark.parametrize("directory", range(crashes.how_often(1, 10)))
def test_power_cuts_while_people_chat(start, tmp_path, directory):
    chance = crashes.chance_for(f"chat power cuts {directory}")
    life = chatting.Life(start, tmp_path)
    with chatting.Chatters() as chatters:
        for _ in range(crashes.how_often(6, 20)):
            moment = chance.choice((round(400 ** chance.random()), chance.randrange(1, 400)))
            seed = chance.randrange(10**9)
            crashes.break_disk(life.server, fault="power_cut", at_operation=moment, seed=seed)
            chatters.begin(life, clients=chance.choice((1, 4, 8)), seed=seed)
            chatters.result()
            life.see_its_end()
            life.come_back(power_was_cut=True)
    life.end()
