"""Sessions with a running answer: allowed questions, visible state, and deletion."""
import pytest

import chats
import people
from chats import text_of
from people import refused

FOREVER = "{words:3} {delay_ms:60000}"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def is_busy(response, *runs):
    problem = refused(response, 409, "session_busy", "active_run_ids")
    assert problem["active_run_ids"] == [chats.name_of(run) for run in runs]
    assert int(response.header("retry-after")) >= 1


def answer_id(person, run):
    """The id of the answer that a run writes, after it has begun."""
    return people.until(lambda: person.run(run)["message"])["id"]


def test_while_the_newest_question_is_answered_again(ana):
    old = ana.ask("an older one")
    session = old["session_id"]
    newest = ana.ask(FOREVER.replace("60000", "0"), session_id=session)
    elsewhere = ana.begin(parent_message_id=old["user_message"]["id"])
    assert ana.ended(elsewhere)["status"] == "completed"
    newest = ana.ask("{first_delay_ms:0} {words:2}", session_id=session,
                     parent_message_id=newest["message"]["id"])
    again = ana.begin("{first_delay_ms:60000} x", session_id=session,
                      parent_message_id=newest["message"]["id"])
    is_busy(ana.query("more", session_id=session), again)
    ana.cancel(again)
    # The same question again.
    ana.ended(again)
    repeated = ana.begin(parent_message_id=again["user_message"]["id"], session_id=session)
    people.until(lambda: ana.run(repeated)["status"] == "running")
    is_busy(ana.query("more", session_id=session), repeated)
    assert ana.ask("a branch", session_id=session,
                   parent_message_id=newest["message"]["id"])["status"] == "completed"
    ana.cancel(repeated)
    ana.ended(repeated)
    assert ana.ask("more", session_id=session)["status"] == "completed"


def test_under_the_message_that_is_being_written(ana, house):
    run = ana.begin(FOREVER)
    written = answer_id(ana, run)
    is_busy(ana.query("and?", parent_message_id=written), run)
    is_busy(ana.query("and?", parent_message_id=written, session_id=run["session_id"]), run)
    assert people.faults(ana.query(parent_message_id=written)) == [
        ("#/parent_message_id", "not_allowed")]
    other = ana.ask("elsewhere")["session_id"]
    refused(ana.query("and?", parent_message_id=written, session_id=other), 404, "not_found")
    ben = chats.somebody(house, "ben")
    never = ben.query("and?", parent_message_id="msg_" + "0" * 26)
    assert people.said(ben.query("and?", parent_message_id=written)) == people.said(never)
    ana.cancel(run)
    ana.ended(run)
    assert ana.ask("and?", parent_message_id=written)["user_message"]["parent_id"] == written


def test_the_message_that_is_being_written_as_it_stands(ana, house):
    first = ana.ask("{words:2}")
    run = ana.begin("{words:3} {delay_ms:60000}", session_id=first["session_id"])
    written = answer_id(ana, run)
    message = ana.get(f"/chat/messages/{written}")
    assert set(message) == chats.ANSWER_FIELDS | {"sibling_ids"}
    assert text_of(message) == "w1" and message["stop_reason"] is None
    assert message["run_id"] == run["id"] and message["sibling_ids"] == [written]
    assert message["parent_id"] == run["user_message"]["id"]
    ben = chats.somebody(house, "bea")
    refused(ben.request("GET", f"/chat/messages/{written}"), 404, "not_found")
    ana.cancel(run)
    ended = ana.ended(run)
    assert ana.get(f"/chat/messages/{written}") == {
        **ended["message"], "sibling_ids": [written]}
    assert text_of(ended["message"]) == "w1"


def test_a_message_that_waits_for_its_first_word(ana):
    first = ana.ask("{words:2}")
    question = first["user_message"]["id"]
    run = ana.begin("{first_delay_ms:60000} x", session_id=first["session_id"])
    with ana.follow(run) as feed:
        feed.next()
    ana.cancel(run)
    ended = ana.ended(run)
    again = ana.begin(parent_message_id=ended["user_message"]["id"])
    # Its id is not shown before its first text; its siblings are.
    assert ana.run(again)["message"] is None
    ana.cancel(again)
    both = [ended["message"]["id"], ana.ended(again)["message"]["id"]]
    assert ana.get(f"/chat/messages/{both[1]}")["sibling_ids"] == both
    assert ana.get(f"/chat/messages/{question}")["sibling_ids"] == [question]


def test_deleting_a_session_obeys_if_match(ana):
    run = ana.ask("one")
    path = f"/chat/sessions/{run['session_id']}"
    seen = ana.request("GET", path).header("etag")
    running = ana.begin(FOREVER, session_id=run["session_id"])
    answer_id(ana, running)
    for stale in (seen, '"0"', '"x", "y"'):
        refused(ana.request("DELETE", path, headers={"If-Match": stale}), 412,
                "precondition_failed")
    assert ana.run(running)["status"] == "running", "nothing was cancelled"
    refused(ana.request("DELETE", "/chat/sessions/ses_never", headers={"If-Match": seen}), 404,
            "not_found")
    newest = ana.request("GET", path).header("etag")
    with ana.follow(running) as feed:
        feed.next()
        assert ana.request("DELETE", path, headers={"If-Match": newest}).status == 204
        assert feed.rest()[-1].type == "run.cancelled"
    refused(ana.request("GET", path), 404, "not_found")
    refused(ana.request("GET", f"/chat/runs/{running['id']}"), 404, "not_found")
    other = ana.ask("two")["session_id"]
    assert ana.request("DELETE", f"/chat/sessions/{other}",
                       headers={"If-Match": "*"}).status == 204
