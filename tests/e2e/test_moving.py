"""Import and retention: nothing is lost in silence, and imported conversations can be continued."""
import itertools
import json

import pytest

import chats
import people
from moved import TRIP, WEB, branch, exported, gpt, gpt_chain, gpt_message, imported
from people import faults, refused


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house):
    """A new user for each test."""
    return chats.somebody(house, f"ana{next(NUMBERS)}")


NUMBERS = itertools.count(1)


def test_a_conversation_of_chatgpt(ana):
    result = imported(ana, "chatgpt", TRIP).json()
    assert result["object"] == "import" and result["imported"] == 4
    assert sorted(entry["source_id"] for entry in result["skipped"]) == ["root", "sys", "t", "x", "y"]
    assert all(entry["reason"] for entry in result["skipped"])
    session = ana.get(f"/chat/sessions/{result['session_id']}")
    assert (session["title"], session["archived"], session["message_count"]) == ("A trip", True, 3)
    assert session["created_at"] == "2023-07-22T04:26:40.000Z"
    assert session["last_message_at"] == "2023-07-22T04:26:44.000Z"
    assert branch(ana, session) == ["Where to?", "ParisIt is sunny."]
    answers = ana.messages(session)[1]["sibling_ids"]
    assert branch(ana, session, leaf=answers[0]) == ["Where to?", "Rome"]
    assert ana.get(f"/chat/messages/{answers[0]}")["model"] == "gpt-4"
    ana.ask("And then?", session_id=session["id"])
    assert len(branch(ana, session)) == 4


def test_ids_are_in_the_order_of_the_messages(ana):
    answers = {f"a{at}": {"id": f"a{at}", "parent": "q", "message": gpt_message("assistant", f"Answer {at}")} for at in range(20)}
    question = {"id": "q", "parent": None, "message": gpt_message("user", "Which?")}
    tree = {"title": "Versions", "current_node": "a3", "mapping": {"q": question} | answers}
    session = imported(ana, "chatgpt", tree).json()["session_id"]
    first, answer = ana.messages(session)
    versions = answer["sibling_ids"]
    assert [first["id"], *versions] == sorted([first["id"], *versions])
    texts = [branch(ana, session, leaf=version)[1] for version in versions]
    assert texts == [f"Answer {at}" for at in range(20)]


def test_a_question_of_more_than_a_mebibyte_is_not_answered_again(ana):
    question = {"id": "q", "parent": None, "message": gpt_message("user", "word " * 240_000)}
    session = imported(ana, "chatgpt", {"title": "Long", "current_node": "q", "mapping": {"q": question}}).json()["session_id"]
    first = ana.messages(session)[0]["id"]
    refused(ana.query(parent_message_id=first), 422, "message_too_long")
    assert ana.get(f"/chat/sessions/{session}")["active_run_ids"] == []


def test_a_conversation_of_open_webui(ana):
    result = imported(ana, "open_webui", WEB).json()
    assert (result["imported"], result["skipped"]) == (2, [])
    session = ana.get(f"/chat/sessions/{result['session_id']}")
    assert (session["title"], session["keep"]) == ("Web", True)
    assert branch(ana, session) == ["Hi", "Hello"]


def test_every_message_of_open_webui_is_imported_or_told(ana):
    """Branches, tools, an unknown parent, a cycle."""
    messages = {name: {"id": name, "parentId": parent, "role": role, "content": f"{name}!", "timestamp": 1690000001 + at}
                for at, (name, parent, role) in enumerate([
                    ("q", None, "user"), ("a", "q", "assistant"), ("b", "q", "assistant"), ("more", "b", "user"),
                    ("tool", "more", "tool"), ("last", "tool", "assistant"), ("x", "y", "user"), ("y", "x", "assistant"),
                    ("lost", "nowhere", "user")])}
    messages["a"]["model"] = "llama3"
    tree = {"id": "w2", "title": "Tree", "chat": {"history": {"currentId": "last", "messages": messages}}}
    result = imported(ana, "open_webui", tree).json()
    assert sorted(entry["source_id"] for entry in result["skipped"]) == ["tool", "x", "y"]
    assert all(entry["reason"] for entry in result["skipped"])
    assert result["imported"] + len(result["skipped"]) == len(messages)
    session = result["session_id"]
    assert branch(ana, session) == ["q!", "b!", "more!", "last!"]
    first = ana.messages(session)[1]["sibling_ids"][0]
    assert branch(ana, session, leaf=first) == ["q!", "a!"]
    assert ana.get(f"/chat/messages/{first}")["model"] == "llama3"
    assert imported(ana, "open_webui", tree, 200).json() == result


def test_conversations_without_ids_are_told_apart_by_their_titles(ana):
    one, other = ({"title": title, "messages": [{"role": "user", "content": "The same"}]} for title in ("One", "Other"))
    first = imported(ana, "open_webui", one).json()["session_id"]
    assert imported(ana, "open_webui", other).json()["session_id"] != first
    assert imported(ana, "open_webui", one, 200).json()["session_id"] == first


def test_the_same_conversation_is_imported_once(ana):
    first = imported(ana, "chatgpt", TRIP)
    again = imported(ana, "chatgpt", TRIP, 200)
    assert again.header("idempotency-replayed") == "true" and first.header("idempotency-replayed") is None
    assert again.json() == first.json()
    assert again.header("location") == first.header("location")
    grown = json.loads(json.dumps(TRIP))
    grown["mapping"]["new"] = {"id": "new", "parent": "c", "message": gpt_message("user", "More")}
    assert imported(ana, "chatgpt", grown).json()["session_id"] != first.json()["session_id"]
    assert ana.request("DELETE", f"/chat/sessions/{first.json()['session_id']}").status == 204
    assert imported(ana, "chatgpt", TRIP).json()["session_id"] != first.json()["session_id"]


@pytest.mark.parametrize("form, conversation, pointer", [
    ("chatgpt", {}, "#/conversation/mapping"), ("chatgpt", {"mapping": 7}, "#/conversation/mapping"),
    ("open_webui", {"chat": {}}, "#/conversation/chat/history/messages"),
    ("parley", {"session": {}}, "#/conversation/messages"), ("parley", {"messages": []}, "#/conversation/session")])
def test_what_cannot_be_read_is_refused(ana, form, conversation, pointer):
    response = ana.request("POST", "/import", {"format": form, "conversation": conversation})
    assert [where for where, _ in faults(response)] == [pointer]
    assert not ana.pages("/chat/sessions", archived="all")


def test_a_conversation_of_many_messages(ana):
    result = imported(ana, "chatgpt", gpt_chain("Long", 3000)).json()
    assert result["imported"] == 3000
    assert branch(ana, result["session_id"]) == [f"text {number}" for number in range(3000)]
    assert ana.request("DELETE", f"/chat/sessions/{result['session_id']}").status == 204
    assert not ana.pages("/chat/sessions") and len(exported(ana)) == 1


NUL = "a\u0000b"


@pytest.mark.parametrize("conversation", [
    gpt([("q", None, gpt_message("user", NUL))], title=NUL, conversation_id=NUL),
    gpt([("q", "q", gpt_message("user", "its own parent"))]),
    gpt([(str(number), str((number + 1) % 500), gpt_message("user", "one cycle")) for number in range(500)]),
    gpt([("q", None, gpt_message("user", "x", "yesterday")), ("a", "q", gpt_message("assistant", "x", -1e300))]),
    gpt([("q", None, {"author": "user", "content": 7}), ("r", None, {"author": {"role": []}}), ("s", None, [])]),
    gpt([], title=[], create_time={}, current_node=[], is_archived="yes"),
    gpt([("q", None, gpt_message("user", {"asset_pointer": "file"}))], update_time=1e300),
    {"mapping": {"q": None, "r": 1, "s": "x", "t": {"message": {"content": {"parts": "x"}}}}},
], ids=["nul", "own parent", "cycle", "times", "types of nodes", "types of the rest", "attachment", "no nodes"])
def test_odd_conversations_lose_nothing_in_silence(ana, conversation):
    result = imported(ana, "chatgpt", conversation).json()
    left_out = [entry for entry in result["skipped"] if "files" not in entry["reason"]]
    assert result["imported"] + len(left_out) == len(conversation["mapping"])
    session = ana.get(f"/chat/sessions/{result['session_id']}")
    messages = ana.messages(session)
    assert session["message_count"] == len(messages)
    assert len([message for message in messages if chats.text_of(message)]) == result["imported"]
    assert exported(ana)[1]["id"] == session["id"]


@pytest.mark.parametrize("bytes_, code", [
    (b'{"format":"chatgpt","conversation":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}", "invalid_json"),
    (b'{"format":"chatgpt","conversation":{"mapping":{', "invalid_json"),
    (b'{"format":"chatgpt","conversation":{"title":"\\ud83d","mapping":{}}}', "invalid_json"),
    (b'{"format":"chatgpt","conversation":{"title":"\xff","mapping":{}}}', "invalid_json"),
], ids=["deep", "cut", "half a pair", "no UTF-8"])
def test_what_is_no_json_is_refused(ana, bytes_, code):
    refused(ana.request("POST", "/import", bytes_), 400, code)
    assert not ana.pages("/chat/sessions")


def test_what_is_beyond_the_bounds_is_told(ana):
    session = {"session": {"id": "s", "instructions": "x" * 65_537, "metadata": {"k": "v" * 513}},
               "messages": [{"id": "m", "role": "user", "content": [{"type": "text", "text": "Hi"}],
                             "metadata": {str(number): "v" for number in range(17)}}]}
    result = imported(ana, "parley", session).json()
    assert result["imported"] == 1
    assert [each["source_id"] for each in result["skipped"]] == ["s", "s", "m"]
    stored = ana.get(f"/chat/sessions/{result['session_id']}")
    assert stored["instructions"] is None and stored["metadata"] == {}


def test_a_question_without_an_answer_can_be_answered(ana):
    session = imported(ana, "chatgpt", gpt([("q", None, gpt_message("user", "Hello?"))])).json()["session_id"]
    assert branch(ana, session) == ["Hello?", ""]
    question = ana.messages(session)[0]["id"]
    ana.ask("Are you there?", session_id=session)
    assert branch(ana, session) == ["Hello?", "", "Are you there?", "Are you there?"]
    assert chats.text_of(ana.ask(session_id=session, parent_message_id=question)["message"]) == "Hello?"


def test_two_imports_of_one_conversation_at_the_same_time(ana):
    def once(_):
        return ana.request("POST", "/import", {"format": "chatgpt", "conversation": gpt_chain("Twice", 1500)})
    responses = people.at_once(4, once)
    assert sorted(response.status for response in responses) == [200, 200, 200, 201]
    assert len({response.json()["session_id"] for response in responses}) == 1
    [session] = ana.pages("/chat/sessions")
    assert session["message_count"] == 1500 == len(ana.messages(session))


def test_a_conversation_without_times_is_imported_once(ana):
    timeless = {"id": "w9", "title": "Web", "chat": {"history": {"currentId": "1", "messages": {
        "1": {"id": "1", "parentId": None, "role": "user", "content": "Hi"}}}}}
    session = imported(ana, "open_webui", timeless).json()["session_id"]
    assert imported(ana, "open_webui", timeless, 200).json()["session_id"] == session


def test_the_branch_through_a_message(ana):
    session = imported(ana, "chatgpt", TRIP).json()["session_id"]
    path = f"/chat/sessions/{session}/messages"
    rome, paris = ana.messages(session)[1]["sibling_ids"]
    assert branch(ana, session, through=rome) == ["Where to?", "Rome"]
    assert branch(ana, session, through=paris) == branch(ana, session)
    assert branch(ana, session, through=ana.messages(session)[0]["id"], limit=1) == branch(ana, session)
    more = ana.ask("More", session_id=session, parent_message_id=rome)
    assert branch(ana, session, through=rome) == ["Where to?", "Rome", "More", "More"]
    assert [message["id"] for message in ana.messages(session, through=rome, order="desc")][0] == more["message"]["id"]
    refused(ana.request("GET", f"{path}?through={rome}&leaf={rome}"), 422, "validation_failed", "errors")
    refused(ana.request("GET", f"{path}?through=msg_none"), 404, "not_found")


def test_large_bodies_are_taken_and_larger_ones_refused(ana):
    large = gpt([("q", None, gpt_message("user", "x" * (15 << 20)))])
    assert imported(ana, "chatgpt", large).json()["imported"] == 1
    response = ana.request("POST", "/import", {"format": "chatgpt", "conversation": gpt(
        [("q", None, gpt_message("user", "x" * (16 << 20)))])})
    refused(response, 413, "body_too_large")


def test_retention_days(start, tmp_path):
    server = start("--data", str(tmp_path / "data"), settings={**chats.ROOMY, "retention.max_days": 90})
    house = people.House(server).set_up()
    token = house.login("olga")["access_token"]
    assert house.get("/me", token)["retention_days"] is None
    for days in (1, 90, None):
        assert house.ask("PATCH", "/me", token, {"retention_days": days}).json()["retention_days"] == days
    for days in (0, -1, 91, 3651, "x"):
        faults(house.ask("PATCH", "/me", token, {"retention_days": days}))
    assert house.ask("PATCH", "/me", token, {"display_name": "Olga"}).json()["retention_days"] is None
