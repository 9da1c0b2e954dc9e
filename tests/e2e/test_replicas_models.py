"""Servers that share a database: runs of a dead server whose model cannot continue an answer."""
import chats
import feeds
import upstream_ways
import upstreams
from replicas import TAKE_OVER, Replicas
from stopwatch import Stopwatch


def test_an_answer_that_cannot_be_continued_is_kept_and_interrupted(start, tmp_path):
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "silent", "ok")
        two = Replicas(start, tmp_path, 2, settings)
        owner, other = two.people
        with owner.stream("Hello?", model="silent") as feed:
            own = feed.until(lambda event: event.delta == upstream_ways.WORDS[1])
            run = feed.run_id
            with other.follow(run) as followed:
                seen = followed.until(lambda event: event.number == own[-1].number)
                two.kill(0)
                watch = Stopwatch()
                seen += followed.rest()
                assert watch.seconds() < TAKE_OVER
        assert feeds.check_events(seen)[-1].type == "run.interrupted"
        assert feeds.frames(seen).startswith(feeds.frames(own)) and len(seen) == len(own) + 1
        assert feeds.frames(other.events(run)) == feeds.frames(seen)
        ended = other.run(run)
        assert ended["status"] == "interrupted" and chats.text_of(ended["message"]) == upstream_ways.HALF
        assert len(mock.asked("silent")) == 1, "it was asked again for an answer that was begun"
        again = other.ask("Hello?", model="ok", session_id=ended["session_id"])
        assert chats.text_of(again["message"]) == upstream_ways.TEXT
