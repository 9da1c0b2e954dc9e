"""Pages of large automations and their runs end at about 1 MiB, too, and nothing is skipped or told twice."""
import pytest

import automations
import chats
from test_chat_large_pages import LARGE, pages

COUNT = 20


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(automations.SETTINGS) as opened:
        yield opened


@pytest.mark.parametrize("query", [{}, {"state": "active"}], ids=["all", "some"])
def test_automations(house, query):
    ana = automations.automator(house, f"ana{len(query)}")
    made = [automations.created(ana, message=LARGE, name=f"number {number}") for number in range(COUNT)]
    found = pages(ana, "/automations", **query)
    assert len(found) >= 3
    assert [each["id"] for page in found for each in page] == [each["id"] for each in made[::-1]]
    assert all(each["message"] == LARGE for page in found for each in page)


def test_their_runs(house):
    """Each has its value twice: as a variable, and in its message."""
    ben = automations.automator(house, "ben")
    made = automations.created(ben, message="{{text}}", variables=[{"name": "text"}])
    runs = [automations.started(ben, made, {"variables": {"text": f"{number} " + "x" * 100_000}})
            for number in range(COUNT)]
    ended = [automations.ended(ben, run) for run in runs]
    assert {run["status"] for run in ended} == {"completed"}
    for path in ("/automation_runs", f"/automations/{made['id']}/runs"):
        found = pages(ben, path)
        assert len(found) >= 4
        told = [run for page in found for run in page]
        assert [run["id"] for run in told] == [run["id"] for run in runs[::-1]]
        assert [run["variables"] for run in told] == [run["variables"] for run in ended[::-1]]
        assert all(run["message"] == run["variables"]["text"] for run in told)
