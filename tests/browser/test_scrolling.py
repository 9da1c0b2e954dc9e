"""Long conversations, of which only a part is on the page."""
import pytest

import people

PARAGRAPH = "Tides come and go, twice a day, and a little later each day. " * 4
CODE = "```python\n" + "print('high water')\n" * 12 + "```\n"


def questions():
    for number in range(60):
        more = [PARAGRAPH, CODE, "- one\n- two\n", "short", PARAGRAPH + "\n\n" + CODE + "\n\n" + PARAGRAPH][number % 5]
        yield f"Question {number}: **why**?\n\n{more}"


@pytest.fixture
def with_a_long_conversation(with_ana):
    server = with_ana(settings={"limits.general": 1_000_000, "limits.chat": 100_000})
    house = people.House(server)
    token = house.login("ana", "otter lantern quarry seven")["access_token"]
    session = None
    for text in questions():
        body = {"message": text, **({"session_id": session} if session else {})}
        session = house.ask("POST", "/chat/query", token, body).json()["session_id"]
    return server, session


@pytest.mark.parametrize("name", ["only_messages_near_the_view", "the_window_gets_narrower", "the_place_is_kept",
                                  "messages_in_use_stay"])
def test_a_long_conversation(flow, with_a_long_conversation, name):
    server, session = with_a_long_conversation
    flow(server, "scrolling.mjs", name, session=lambda: session)


def test_a_version_is_chosen_in_its_place(flow, with_ana):
    flow(with_ana(), "scrolling.mjs", "a_version_is_chosen_in_its_place")
