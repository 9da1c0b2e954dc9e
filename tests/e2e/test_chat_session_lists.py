"""The list of sessions: its orders, filters, pages and cursors."""
import urllib.parse

import pytest

import chats
from people import refused


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, request):
    """A new user for each test, with an empty list."""
    return chats.somebody(house, request.node.name[:100])


def make(person, title):
    response = person.request("POST", "/chat/sessions", {"title": title})
    assert response.status == 201, response.body
    return response.json()


def titles(sessions):
    return [session["title"] for session in sessions]


def listed(person, **query):
    return titles(person.pages("/chat/sessions", **query))


def numbered(person, count):
    """Sessions 0, 1, 2 …, oldest first."""
    return [make(person, str(number)) for number in range(count)]


def test_newest_activity_comes_first(ana):
    sessions = numbered(ana, 5)
    assert listed(ana) == ["4", "3", "2", "1", "0"]
    ana.ask("hello", session_id=sessions[1]["id"])
    assert listed(ana) == ["1", "4", "3", "2", "0"] == listed(ana, sort="activity", order="desc")
    assert listed(ana, order="asc") == ["0", "2", "3", "4", "1"]
    assert listed(ana, sort="created") == ["4", "3", "2", "1", "0"]
    assert listed(ana, sort="created", order="asc") == ["0", "1", "2", "3", "4"]
    ana.request("PATCH", f"/chat/sessions/{sessions[0]['id']}", {"title": "renamed"})
    assert listed(ana, sort="created", order="asc")[0] == "renamed"


def test_archived_ones_are_apart(ana):
    sessions = numbered(ana, 4)
    for number in (1, 3):
        path = f"/chat/sessions/{sessions[number]['id']}"
        assert ana.request("PATCH", path, {"archived": True}).json()["archived"] is True
    assert listed(ana) == ["2", "0"] == listed(ana, archived="false")
    assert listed(ana, archived="true", sort="created") == ["3", "1"]
    assert listed(ana, archived="all", sort="created") == ["3", "2", "1", "0"]
    assert ana.ask("still works", session_id=sessions[1]["id"])["status"] == "completed"


def test_titles_are_searched_without_case(ana):
    for title in ("Ärger im Büro", "a_b", "axb", "100%", "1000", "Straße", "ΣΊΣΥΦΟΣ",
                  "back\\slash"):
        make(ana, title)
    for part, found in (("BÜRO", ["Ärger im Büro"]), ("ärger", ["Ärger im Büro"]), ("_", ["a_b"]),
                        ("%", ["100%"]), ("10", ["1000", "100%"]), ("\\", ["back\\slash"]),
                        ("STRASSE", ["Straße"]), ("σίσυφος", ["ΣΊΣΥΦΟΣ"]), ("nothing", []),
                        ("'; --", []), ("er im", ["Ärger im Büro"])):
        assert listed(ana, q=part) == found, part
        assert listed(ana, q=part, limit=1, sort="created") == found, part
    assert listed(ana, q="")[0] == "back\\slash" and len(listed(ana, q="")) == 8


@pytest.mark.parametrize("sort", ["activity", "created"])
@pytest.mark.parametrize("order", ["desc", "asc"])
def test_pages_of_any_size(ana, sort, order):
    numbered(ana, 25)
    expected = [str(number) for number in range(25)]
    if order == "desc":
        expected.reverse()
    for limit in (1, 7, 25, 100):
        assert listed(ana, sort=sort, order=order, limit=limit) == expected
    response = ana.request("GET", f"/chat/sessions?sort={sort}&order={order}")
    page = response.json()
    assert set(page) == {"object", "data", "has_more", "next_cursor"} and page["object"] == "list"
    assert titles(page["data"]) == expected[:20] and page["has_more"] is True
    link = response.header("link")
    assert link.endswith('>; rel="next"')
    target = urllib.parse.urlsplit(link[1:link.index(">")])
    assert target.path == "/v1/api/chat/sessions"
    asked = dict(urllib.parse.parse_qsl(target.query))
    assert asked["after"] == page["next_cursor"] and asked["sort"] == sort
    last = ana.request("GET", target.path.removeprefix("/v1/api") + "?" + target.query)
    assert titles(last.json()["data"]) == expected[20:] and last.header("link") is None
    assert last.json()["has_more"] is False and last.json()["next_cursor"] is None


def test_what_becomes_active_while_one_pages(ana):
    sessions = numbered(ana, 9)
    first = ana.get("/chat/sessions?limit=3")
    assert titles(first["data"]) == ["8", "7", "6"]
    ana.ask("hello", session_id=sessions[4]["id"])  # Not seen yet: moves to the front.
    ana.ask("hello", session_id=sessions[7]["id"])  # Seen already.
    make(ana, "new")
    seen, page = titles(first["data"]), first
    while page["has_more"]:
        page = ana.get(f"/chat/sessions?limit=3&after={page['next_cursor']}")
        seen += titles(page["data"])
    assert seen == ["8", "7", "6", "5", "3", "2", "1", "0"]


def test_by_creation_nothing_is_skipped_or_repeated(ana):
    sessions = numbered(ana, 9)
    seen, after = [], ""
    while True:
        page = ana.get(f"/chat/sessions?sort=created&limit=2{after}")
        seen += titles(page["data"])
        if not page["has_more"]:
            break
        after = f"&after={page['next_cursor']}"
        ana.ask("hello", session_id=sessions[len(seen) - 1]["id"])
    assert seen == [str(number) for number in range(8, -1, -1)]
    gone = ana.get("/chat/sessions?sort=created&limit=4")
    for session in sessions[4:7]:  # Includes the session of the cursor.
        assert ana.request("DELETE", f"/chat/sessions/{session['id']}").status == 204
    rest = ana.get(f"/chat/sessions?sort=created&after={gone['next_cursor']}")
    assert titles(rest["data"]) == ["3", "2", "1", "0"]


def test_a_cursor_is_for_its_list_alone(house, ana):
    numbered(ana, 5)
    other = chats.somebody(house, "other reader")
    make(other, "theirs")
    cursor = ana.get("/chat/sessions?limit=2")["next_cursor"]
    wrong = [(ana, f"/chat/sessions?{query}&after={cursor}") for query in (
        "sort=created", "order=asc", "archived=all", "archived=true", "q=x")]
    wrong += [(other, f"/chat/sessions?after={cursor}"), (ana, "/chat/sessions?after=1"),
              (ana, f"/chat/sessions?after={cursor[:-1]}"),
              (ana, f"/chat/sessions?after={cursor}A"),
              (ana, f"/chat/sessions?after={cursor.swapcase()}")]
    for person, path in wrong:
        refused(person.request("GET", path), 400, "invalid_cursor")
    same = f"/chat/sessions?sort=activity&order=desc&archived=false&after={cursor}"
    assert titles(ana.get(same)["data"]) == ["2", "1", "0"], "the defaults may be said"


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "sort=title", "order=up",
                                   "archived=yes", "archived=", "query=x"])
def test_parameters_that_will_not_do(ana, query):
    problem = refused(ana.request("GET", f"/chat/sessions?{query}"), 422, "validation_failed",
                      "errors")
    assert [error["parameter"] for error in problem["errors"]] == [query.partition("=")[0]]


def test_the_list_counts_as_chat(ana):
    response = ana.request("GET", "/chat/sessions")
    assert response.header("ratelimit-policy").startswith('"chat"')
    session = make(ana, "x")
    for path in (f"/chat/sessions/{session['id']}", f"/chat/sessions/{session['id']}/messages"):
        assert ana.request("GET", path).header("ratelimit-policy").startswith('"general"')
    head = ana.request("HEAD", "/chat/sessions")
    assert head.status == 200 and head.body == b""
    assert head.header("content-length") is not None
