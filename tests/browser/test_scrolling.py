"""Long conversations, of which only a part is on the page."""
import pytest

PARAGRAPH = "Tides come and go, twice a day, and a little later each day. " * 4
CODE = "```python\n" + "print('high water')\n" * 12 + "```\n"


def questions():
    for number in range(60):
        more = [PARAGRAPH, CODE, "- one\n- two\n", "short", PARAGRAPH + "\n\n" + CODE + "\n\n" + PARAGRAPH][number % 5]
        yield f"Question {number}: **why**?\n\n{more}"


@pytest.fixture(scope="module")
def long_conversation(home):
    username = home.new_user()
    token = home.token_of(username)
    session = None
    for text in questions():
        body = {"message": text, **({"session_id": session} if session else {})}
        session = home.house.ask("POST", "/chat/query", token, body).json()["session_id"]
    return username, session


@pytest.mark.parametrize("name", ["only_messages_near_the_view", "the_window_gets_narrower", "the_place_is_kept",
                                  "messages_in_use_stay", "buttons_come_after_scrolling"])
def test_a_long_conversation(at_home, long_conversation, name):
    username, session = long_conversation
    at_home("scrolling.mjs", name, username, session=lambda: session)


def test_a_version_is_chosen_in_its_place(at_home):
    at_home("scrolling.mjs", "a_version_is_chosen_in_its_place")
