"""A session is a tree: repeated, changed and new questions are stored beside the earlier ones, and nothing is
overwritten."""
import pytest

import chats
import people
from chats import text_of
from people import faults, refused

SLOW = "{words:400} {delay_ms:100}"
NO_SESSION = "ses_" + "0" * 28
NO_MESSAGE = "msg_0000000000000000000000000000"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="bob", scope="module")
def somebody_else(house):
    return chats.somebody(house, "bob")


def conversation(person, *texts):
    """The runs of a session of these questions."""
    runs = [person.ask(texts[0])]
    for text in texts[1:]:
        runs.append(person.ask(text, session_id=runs[0]["session_id"]))
    return runs


def texts(messages):
    return [text_of(message) for message in messages]


def same_but_siblings(one, other):
    return {**one, "sibling_ids": None} == {**other, "sibling_ids": None}


def test_a_question_is_answered_once_more(ana):
    run, = conversation(ana, "hello again")
    question = run["user_message"]
    again = ana.ask(parent_message_id=question["id"], metadata={"try": "2"})
    assert again["id"] != run["id"] and again["session_id"] == run["session_id"]
    assert again["user_message"] == question, "it is the same question, metadata and all"
    assert again["metadata"] == {"try": "2"}
    assert again["message"]["id"] != run["message"]["id"]
    assert again["message"]["parent_id"] == question["id"]
    assert text_of(again["message"]) == "hello again"
    third = ana.ask(parent_message_id=question["id"], session_id=run["session_id"])

    answers = [each["message"]["id"] for each in (run, again, third)]
    listed = ana.messages(run["session_id"])
    assert [message["id"] for message in listed] == [question["id"], answers[2]], "newest answer"
    assert listed[0]["sibling_ids"] == [question["id"]] and listed[1]["sibling_ids"] == answers
    for each in (run, again, third):
        assert ana.run(each) == each
        branch = ana.messages(run["session_id"], leaf=each["message"]["id"])
        assert same_but_siblings(branch[1], each["message"]) and len(branch) == 2
        assert branch[1]["sibling_ids"] == answers


def test_a_question_asked_differently_is_a_branch(ana):
    first, second, third = conversation(ana, "one", "two", "three")
    session = first["session_id"]
    edited = ana.ask("two, but other", parent_message_id=first["message"]["id"])
    assert edited["session_id"] == session
    assert edited["user_message"]["parent_id"] == first["message"]["id"]
    siblings = [second["user_message"]["id"], edited["user_message"]["id"]]

    newest = ana.messages(session)
    assert texts(newest) == ["one", "one", "two, but other", "two, but other"]
    assert newest[2]["sibling_ids"] == siblings
    old = ana.messages(session, leaf=third["message"]["id"])
    assert texts(old) == ["one", "one", "two", "two", "three", "three"]
    assert old[2]["sibling_ids"] == siblings and old[4]["sibling_ids"] == [old[4]["id"]]
    assert texts(ana.messages(session, leaf=second["message"]["id"])) == texts(old)[:4]
    assert texts(ana.messages(session, leaf=second["user_message"]["id"])) == texts(old)[:3]

    follow = ana.ask("goes on", session_id=session)
    assert follow["user_message"]["parent_id"] == edited["message"]["id"], "the newest message"
    back = ana.ask("goes on there", parent_message_id=third["message"]["id"], session_id=session)
    assert back["user_message"]["parent_id"] == third["message"]["id"]
    for run in (first, second, third, edited, follow):
        assert ana.run(run) == run, "nothing is ever overwritten"


def test_a_new_beginning(ana):
    first, _ = conversation(ana, "one", "two")
    session = first["session_id"]
    anew = ana.ask("begin anew", session_id=session, parent_message_id=None)
    assert anew["session_id"] == session and anew["user_message"]["parent_id"] is None
    listed = ana.messages(session)
    assert texts(listed) == ["begin anew", "begin anew"]
    assert listed[0]["sibling_ids"] == [first["user_message"]["id"], anew["user_message"]["id"]]
    assert ana.ask("x", parent_message_id=None)["session_id"] != session, "and its own session"


def test_a_question_does_not_follow_on_a_question(ana):
    run, = conversation(ana, "one")
    for more in ({}, {"session_id": run["session_id"]}):
        answer = ana.query("two", parent_message_id=run["user_message"]["id"], **more)
        assert [pointer for pointer, _ in faults(answer)] == ["#/parent_message_id"]
    answer = ana.query(parent_message_id=run["message"]["id"])
    assert {pointer for pointer, _ in faults(answer)} <= {"#/parent_message_id", "#/message"}
    assert {pointer for pointer, _ in faults(ana.query(session_id=run["session_id"]))} == {
        "#/message"}
    assert {pointer for pointer, _ in faults(ana.query(
        session_id=run["session_id"], parent_message_id=None))} <= {
            "#/message", "#/parent_message_id"}
    assert len(ana.messages(run["session_id"])) == 2


def test_parents_that_are_not_there(ana, bob):
    mine, other = conversation(ana, "mine")[0], conversation(ana, "another")[0]
    theirs, = conversation(bob, "theirs")
    never = ana.query("x", parent_message_id=NO_MESSAGE)
    refused(never, 404, "not_found")
    for fields in ({"parent_message_id": theirs["message"]["id"]},
                   {"session_id": theirs["session_id"]},
                   {"session_id": theirs["session_id"],
                    "parent_message_id": theirs["message"]["id"]},
                   {"session_id": theirs["session_id"], "parent_message_id": None},
                   {"session_id": mine["session_id"],
                    "parent_message_id": theirs["message"]["id"]},
                   {"session_id": mine["session_id"],
                    "parent_message_id": other["message"]["id"]},
                   {"session_id": mine["session_id"], "parent_message_id": NO_MESSAGE}):
        answer = ana.query("x", **fields)
        refused(answer, 404, "not_found")
        session = fields.get("session_id")
        if session == theirs["session_id"]:
            fields = {**fields, "session_id": NO_SESSION}
        like = ana.query("x", **{**fields, "parent_message_id": NO_MESSAGE}
                         if fields.get("parent_message_id") else fields)
        assert people.said(answer) == people.said(like), fields
    again = ana.query(parent_message_id=theirs["user_message"]["id"])
    assert people.said(again) == people.said(never)
    for person, run in ((bob, theirs), (ana, mine), (ana, other)):
        assert len(person.messages(run["session_id"])) == 2


def test_a_busy_session_takes_no_second_question(ana):
    first, = conversation(ana, "one")
    session = first["session_id"]
    running = ana.begin(SLOW, session_id=session)
    for options in ({}, {"stream": True}, {"background": True}):
        problem = refused(ana.query("two", session_id=session, **options), 409, "session_busy",
                          "active_run_ids")
        assert problem["active_run_ids"] == [running["id"]]
    assert ana.get(f"/chat/sessions/{session}")["active_run_ids"] == [running["id"]]
    elsewhere = ana.ask("beside it", parent_message_id=first["message"]["id"])
    assert elsewhere["status"] == "completed"
    anew = ana.ask("anew", session_id=session, parent_message_id=None)
    again = ana.ask(parent_message_id=first["user_message"]["id"])
    assert anew["status"] == again["status"] == "completed"
    assert ana.run(running)["status"] == "running"
    ana.cancel(running)
    ana.ended(running)
    assert ana.get(f"/chat/sessions/{session}")["active_run_ids"] == []
    assert ana.ask("two", session_id=session)["status"] == "completed"


def test_branches_that_are_answered_at_the_same_time(ana):
    first, = conversation(ana, "one")
    runs = [ana.begin(f"{{first_delay_ms:2000}} branch {number}", parent_message_id=first["message"]["id"])
            for number in range(8)]
    active = ana.get(f"/chat/sessions/{first['session_id']}")["active_run_ids"]
    assert active == [run["id"] for run in runs if run["id"] in active]
    ended = [ana.ended(run) for run in runs]
    assert [text_of(run["message"]) for run in ended] == [f"branch {n}" for n in range(8)]
    last = ana.messages(first["session_id"], leaf=ended[-1]["message"]["id"])
    assert last[2]["sibling_ids"] == [run["user_message"]["id"] for run in runs]
    assert ana.get(f"/chat/sessions/{first['session_id']}")["message_count"] == 18


def test_of_two_questions_at_once_one_is_refused(ana):
    session = ana.ask("one")["session_id"]
    answers = people.at_once(8, lambda number: ana.query(
        SLOW, session_id=session, background=True))
    taken = [answer for answer in answers if answer.status == 202]
    assert len(taken) == 1
    for answer in answers:
        if answer not in taken:
            refused(answer, 409, "session_busy", "active_run_ids")
    ana.cancel(taken[0].json())
    ana.ended(taken[0].json())
    assert len(ana.messages(session)) == 4


def test_a_branch_page_by_page(ana):
    runs = conversation(ana, *(f"number {number}" for number in range(8)))
    session = runs[0]["session_id"]
    path = f"/chat/sessions/{session}/messages"
    oldest_first = ana.messages(session)
    assert texts(oldest_first) == [f"number {number // 2}" for number in range(16)]
    for limit in (1, 3, 5, 16, 17):
        assert ana.messages(session, limit=limit) == oldest_first
        assert ana.messages(session, limit=limit, order="asc") == oldest_first
        assert ana.messages(session, limit=limit, order="desc") == oldest_first[::-1]
    response = ana.request("GET", f"{path}?limit=4")
    page = response.json()
    assert set(page) == {"object", "data", "has_more", "next_cursor"} and page["object"] == "list"
    assert len(page["data"]) == 4 and page["has_more"] is True
    link = response.header("link")
    assert link.endswith('>; rel="next"') and f"after={page['next_cursor']}" in link
    following = ana.house.ask("GET", link[1:link.index(">")].removeprefix("/v1/api"), ana.token)
    assert following.json()["data"] == oldest_first[4:8]
    assert all(set(message) - {"sibling_ids"} == chats.QUESTION_FIELDS
               for message in oldest_first[::2])
    assert all(set(message) - {"sibling_ids"} == chats.ANSWER_FIELDS
               for message in oldest_first[1::2])
    assert all("sibling_ids" in message for message in oldest_first)
    assert len(ana.get(path)["data"]) == 16, "20 is the default"
    for query in ("order=up", "limit=0", "limit=101", "leaf=", "nothing=1", "sort=created"):
        answer = ana.request("GET", f"{path}?{query}")
        assert answer.status in (404, 422), query


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_cursor_stays_on_its_branch(ana, order):
    runs = conversation(ana, "one", "two", "three")
    session = runs[0]["session_id"]
    path = f"/chat/sessions/{session}/messages?limit=2&order={order}"
    expected = ana.messages(session, order=order)
    page = ana.get(path)
    ana.ask("two, but other", parent_message_id=runs[0]["message"]["id"])
    ana.ask("goes on", session_id=session)
    read = page["data"]
    while page["has_more"]:
        page = ana.get(f"{path}&after={page['next_cursor']}")
        read += page["data"]
    assert [message["id"] for message in read] == [message["id"] for message in expected]


def test_cursors_of_other_branches_will_not_do(ana, bob):
    runs = conversation(ana, "one", "two")
    other, = conversation(ana, "another")
    session, leaf = runs[0]["session_id"], runs[0]["message"]["id"]
    path = f"/chat/sessions/{session}/messages"
    cursor = ana.get(f"{path}?limit=1")["next_cursor"]
    for wrong in (f"{path}?order=desc&after={cursor}", f"{path}?leaf={leaf}&after={cursor}",
                  f"/chat/sessions/{other['session_id']}/messages?after={cursor}",
                  f"/chat/sessions?after={cursor}", f"{path}?after={cursor}A", f"{path}?after=1",
                  f"{path}?after={cursor[:-1]}"):
        refused(ana.request("GET", wrong), 400, "invalid_cursor")
    # The same error as for an unknown session: the cursor is checked first, and is not valid for them.
    for nobodys in (path, path.replace(session, NO_SESSION)):
        refused(bob.request("GET", f"{nobodys}?after={cursor}"), 400, "invalid_cursor")
        refused(bob.request("GET", nobodys), 404, "not_found")
    for foreign in (other["message"]["id"], NO_MESSAGE):
        refused(ana.request("GET", f"{path}?leaf={foreign}"), 404, "not_found")
